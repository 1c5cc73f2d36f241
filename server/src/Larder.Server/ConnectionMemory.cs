namespace Larder.Server;

/// <summary>
/// Limits the number of TLS connections according to the memory limit. The buffer budget does not include the memory that TLS uses for idle connections, so
/// that memory is limited by limiting the number of connections.
/// </summary>
internal static class ConnectionMemory
{
    /// <summary>
    /// The assumed memory use of an idle TLS connection. Measurements show 48 to 62 KB, of which about 35 KB are OpenSSL's read and write buffers, which .NET
    /// cannot release. A plaintext connection takes 20 KB.
    /// </summary>
    public const int BytesPerTlsConnection = 64 * 1024;

    /// <summary>
    /// TLS connections may use 1/4 of <c>--memory</c>, in addition to <c>--memory</c> itself. Deployments limit the process to one and a half times
    /// <c>--memory</c>; the remaining 1/4 is for the runtime and fragmentation. With 1 GiB, TLS may use 256 MiB, which is enough for 4,096 connections.
    /// </summary>
    public const int Share = 4;

    /// <summary>Returns the maximum number of TLS connections: the requested number, or fewer if the memory limit is too low for them.</summary>
    public static int TlsConnections(int asked, long memoryBytes) => (int)Math.Min(asked, Math.Max(1, memoryBytes / Share / BytesPerTlsConnection));
}
