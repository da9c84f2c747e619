// Package mixed runs random programs of mgpu's calls and the vendor's, and compares them with a model
// of what the stock library guarantees.
//
// The programs are C's (hosts/): mixed.h says what they are made of, and model.c what stock promises.
// operations.h lists the operations; each is in the file of its subject. A seed stands for one program
// until the generator changes. With the cache off a program has to agree with the model always, which
// is how the model is known to be right; with the cache on it differs only by what docs/semantics.md
// names.
//
// A program that fails is reduced: operations are left out as long as it still fails. What remains is
// printed; as a file of testdata it runs from then on.
package mixed
