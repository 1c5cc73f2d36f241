using System.Net;
using System.Net.Sockets;

namespace Larder.Client.Fronts;

/// <summary>Determines which addresses of a name are gateways (FRONT-3).</summary>
internal static class FrontNames
{
    /// <summary>Returns the gateways' addresses, or none if the name is a single gateway that is reached by its name.</summary>
    public static IPAddress[] FrontsOf(IEnumerable<IPAddress> resolved)
    {
        ILookup<AddressFamily, IPAddress> families = resolved.Distinct().ToLookup(static address => address.AddressFamily);
        IEnumerable<IPAddress> four = families[AddressFamily.InterNetwork];
        IEnumerable<IPAddress> six = families[AddressFamily.InterNetworkV6];
        IEnumerable<IPAddress> fronts = six.Count() > four.Count() ? six : four;
        return fronts.Count() > 1 ? [.. fronts.Take(ServerAddress.MostFronts)] : [];
    }
}
