namespace Larder.Server.Console.Api;

/// <summary>Names a cache to create, flush or delete.</summary>
/// <param name="Cache">The cache name.</param>
/// <param name="MaxBytes">The quota of a new cache in bytes; 0 for no quota.</param>
internal sealed record CacheRequest(string Cache, long MaxBytes = 0);

/// <summary>Requests a page of keys.</summary>
/// <param name="Cache">The cache name.</param>
/// <param name="Prefix">The prefix of the requested keys in base64; empty to request all keys.</param>
/// <param name="Type">The name of the requested item type; empty to request all types.</param>
/// <param name="Cursor">The cursor that the previous page returned, in base64; empty for the first page.</param>
internal sealed record KeysRequest(string Cache, byte[] Prefix, string Type, byte[] Cursor);

/// <summary>Names an item to view or delete.</summary>
/// <param name="Cache">The cache name.</param>
/// <param name="Key">The key in base64: at least 1 byte.</param>
internal sealed record ItemRequest(string Cache, byte[] Key);

/// <summary>Requests a page of a collection.</summary>
/// <param name="Cache">The cache name.</param>
/// <param name="Key">The key in base64: at least 1 byte.</param>
/// <param name="Type">The name of the expected type. The request fails if the key now has an item of another type.</param>
/// <param name="Cursor">The cursor that the previous page returned, in base64; empty for the first page.</param>
internal sealed record ElementsRequest(string Cache, byte[] Key, string Type, byte[] Cursor);
