using System.Net;
using System.Net.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire.Sockets;

/// <summary>
/// Resolves host names without depending on a free thread pool thread. .NET's own method blocks a pool thread on every system except Windows.
/// </summary>
internal static class HostNames
{
    /// <summary>Returns the addresses of a host.</summary>
    /// <exception cref="SocketException">The name is unknown, or no name server responds.</exception>
    /// <exception cref="ArgumentException">The name is too long.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the lookup. The lookup continues in the background.</exception>
    public static async Task<IPAddress[]> ResolveAsync(string host, CancellationToken cancellationToken)
    {
        if (IPAddress.TryParse(host, out IPAddress? address))
        {
            return [address];
        }

        if (OperatingSystem.IsWindows())
        {
            return await Dns.GetHostAddressesAsync(host, cancellationToken).On(PoolQueue.Work);
        }

        TaskCompletionSource<IPAddress[]> found = new();
        PoolQueue.Work.Add(static lookup => Resolve(lookup.Host, lookup.Found), (Host: host, Found: found));
        return await found.Task.WaitAsync(cancellationToken).On(PoolQueue.Work);
    }

    private static void Resolve(string host, TaskCompletionSource<IPAddress[]> found)
    {
        IPAddress[] addresses;
        try
        {
            addresses = Dns.GetHostAddresses(host);
        }
#pragma warning disable CA1031 // The exception is passed to the waiting caller.
        catch (Exception error)
#pragma warning restore CA1031
        {
            found.TrySetException(error);
            // The exception is observed here because the caller may no longer be waiting.
            _ = found.Task.Exception;
            return;
        }

        found.TrySetResult(addresses);
    }
}
