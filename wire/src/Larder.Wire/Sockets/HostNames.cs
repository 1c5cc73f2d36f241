using System.Net;
using System.Net.Sockets;
using Larder.Wire.Threads;

namespace Larder.Wire.Sockets;

/// <summary>Resolves host names without a thread of the pool that must be free: elsewhere than on Windows .NET's own way blocks one.</summary>
internal static class HostNames
{
    /// <summary>The addresses of a host.</summary>
    /// <exception cref="SocketException">The name is unknown, or no name server answers.</exception>
    /// <exception cref="ArgumentException">The name is too long.</exception>
    /// <exception cref="OperationCanceledException">The caller gave up; the lookup goes on.</exception>
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
#pragma warning disable CA1031 // Whoever waits for it is told.
        catch (Exception error)
#pragma warning restore CA1031
        {
            found.TrySetException(error);
            // Observed here: perhaps nobody waits any more.
            _ = found.Task.Exception;
            return;
        }

        found.TrySetResult(addresses);
    }
}
