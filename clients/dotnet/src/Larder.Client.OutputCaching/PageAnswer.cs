namespace Larder.Client;

/// <summary>A page, none, or why it is not known.</summary>
internal readonly record struct PageAnswer(ReadOnlyMemory<byte>? Page, CacheError? Error = null);
