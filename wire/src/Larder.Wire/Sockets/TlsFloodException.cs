namespace Larder.Wire.Sockets;

/// <summary>
/// The exception that is thrown when a peer sends more TLS records without application data, or a larger handshake, than <see cref="TlsRecordGuard"/>
/// allows.
/// </summary>
internal sealed class TlsFloodException(string message) : IOException(message);
