namespace Larder.Server;

/// <summary>
/// Limits the number of TLS connections by the memory limit. The memory that TLS holds for idle connections is not part of the buffer budget, so it
/// is bounded by the number of connections.
/// </summary>
internal static class ConnectionMemory
{
    /// <summary>
    /// The assumed size of an idle TLS connection. Measured: 48 to 62 KB, of which about 35 KB are OpenSSL's read and write buffers, which .NET
    /// cannot release. A plaintext connection takes 20 KB.
    /// </summary>
    public const int BytesPerTlsConnection = 64 * 1024;

    /// <summary>
    /// TLS connections may use 1/4 of <c>--memory</c>, in addition to it. Deployments give the process one and a half times <c>--memory</c>; the rest
    /// is for the runtime and fragmentation. For 1 GiB that is 256 MiB, or 4,096 connections.
    /// </summary>
    public const int Share = 4;

    /// <summary>Returns the maximum number of TLS connections: the requested number, or fewer if the memory limit requires it.</summary>
    public static int TlsConnections(int asked, long memoryBytes) => (int)Math.Min(asked, Math.Max(1, memoryBytes / Share / BytesPerTlsConnection));
}
