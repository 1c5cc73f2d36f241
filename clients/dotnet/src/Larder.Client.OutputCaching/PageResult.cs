namespace Larder.Client;

/// <summary>A page, null if there is none, or the error if the read failed.</summary>
internal readonly record struct PageResult(ReadOnlyMemory<byte>? Page, CacheError? Error = null);
