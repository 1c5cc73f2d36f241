namespace Larder.Server.Fleet;

/// <summary>SetLength: SCARD.</summary>
internal sealed class RemoteSetLength() : RemoteLength("SCARD"u8.ToArray());
