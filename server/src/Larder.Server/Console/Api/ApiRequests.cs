namespace Larder.Server.Console.Api;

/// <summary>Names a cache: to make it, flush it or delete it.</summary>
/// <param name="Cache">Its name.</param>
/// <param name="MaxBytes">The quota of one that is made; 0: none.</param>
internal sealed record CacheRequest(string Cache, long MaxBytes = 0);

/// <summary>Asks which keys there are.</summary>
/// <param name="Cache">The cache's name.</param>
/// <param name="Prefix">What they begin with, in base64; empty: any.</param>
/// <param name="Type">What the items hold, by its name; empty: anything.</param>
/// <param name="Cursor">That of the page before, in base64; empty: the beginning.</param>
internal sealed record KeysRequest(string Cache, byte[] Prefix, string Type, byte[] Cursor);

/// <summary>Names an item: to look at it or delete it.</summary>
/// <param name="Cache">The cache's name.</param>
/// <param name="Key">Its key, in base64; 1 byte or more.</param>
internal sealed record ItemRequest(string Cache, byte[] Key);

/// <summary>Asks what a collection holds.</summary>
/// <param name="Cache">The cache's name.</param>
/// <param name="Key">Its key, in base64; 1 byte or more.</param>
/// <param name="Type">What it holds, by its name: one that holds another type by now is refused.</param>
/// <param name="Cursor">That of the page before, in base64; empty: the beginning.</param>
internal sealed record ElementsRequest(string Cache, byte[] Key, string Type, byte[] Cursor);
