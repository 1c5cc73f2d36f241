namespace Larder.Wire.Sockets;

/// <summary>
/// The exception that is thrown when a peer exceeds a limit of <see cref="TlsRecordGuard"/>, because it sends too many TLS records without application data or
/// too large a handshake.
/// </summary>
internal sealed class TlsFloodException(string message) : IOException(message);
