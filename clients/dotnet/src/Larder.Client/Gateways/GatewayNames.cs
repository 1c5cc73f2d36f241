using System.Net;
using System.Net.Sockets;

namespace Larder.Client.Gateways;

/// <summary>Determines which of the resolved addresses of a name are used as separate gateways (GATEWAY-3).</summary>
internal static class GatewayNames
{
    /// <summary>
    /// Returns the addresses to use as separate gateways. Returns an empty array if the name stands for only one gateway. The client then connects by name.
    /// </summary>
    public static IPAddress[] GatewaysOf(IEnumerable<IPAddress> resolved)
    {
        ILookup<AddressFamily, IPAddress> families = resolved.Distinct().ToLookup(static address => address.AddressFamily);
        IEnumerable<IPAddress> four = families[AddressFamily.InterNetwork];
        IEnumerable<IPAddress> six = families[AddressFamily.InterNetworkV6];
        IEnumerable<IPAddress> gateways = six.Count() > four.Count() ? six : four;
        return gateways.Count() > 1 ? [.. gateways.Take(ServerAddress.MaxGateways)] : [];
    }
}
