namespace Larder.Server.Fleet;

/// <summary>SortedSetLength: ZCARD.</summary>
internal sealed class RemoteSortedSetLength() : RemoteLength("ZCARD"u8.ToArray());
