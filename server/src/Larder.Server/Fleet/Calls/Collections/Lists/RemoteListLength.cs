namespace Larder.Server.Fleet;

/// <summary>ListLength: LLEN.</summary>
internal sealed class RemoteListLength() : RemoteLength("LLEN"u8.ToArray());
