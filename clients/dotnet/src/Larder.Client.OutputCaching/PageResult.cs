namespace Larder.Client;

/// <summary>The result of reading a page: the page, or null if there is no valid page. The error is set if the read failed.</summary>
internal readonly record struct PageResult(ReadOnlyMemory<byte>? Page, CacheError? Error = null);
