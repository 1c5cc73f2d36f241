namespace Larder.Server;

/// <summary>
/// How many TLS connections the memory limit leaves room for. What TLS holds of an idle connection is not in the buffer budget, so the number of connections
/// bounds it.
/// </summary>
internal static class ConnectionMemory
{
    /// <summary>
    /// An idle TLS connection: 48 to 62 KB were measured, some 35 KB of which are OpenSSL's buffers for reading and writing, that .NET cannot release. In
    /// plaintext it is 20 KB.
    /// </summary>
    public const int BytesPerTlsConnection = 64 * 1024;

    /// <summary>
    /// TLS connections may hold a quarter of <c>--memory</c>, in addition to it: deployments give the process half as much again, and the rest is for the
    /// runtime and fragmentation. Of 1 GiB that is 256 MiB: 4,096 connections.
    /// </summary>
    public const int Share = 4;

    /// <summary>The TLS connections that may be open at once: what is asked for, or what the memory limit leaves if that is less.</summary>
    public static int TlsConnections(int asked, long memoryBytes) => (int)Math.Min(asked, Math.Max(1, memoryBytes / Share / BytesPerTlsConnection));
}
