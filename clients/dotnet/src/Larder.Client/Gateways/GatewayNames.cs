using System.Net;
using System.Net.Sockets;

namespace Larder.Client.Gateways;

/// <summary>Determines which of the resolved addresses of a name are used as separate gateways (GATEWAY-3).</summary>
internal static class GatewayNames
{
    /// <summary>
    /// Returns the addresses of the gateways. Returns an empty array if the name is a single gateway. The client then connects to it by name.
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
