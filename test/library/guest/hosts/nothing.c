/* Does nothing but end. */
int main(void) { return 0; }
