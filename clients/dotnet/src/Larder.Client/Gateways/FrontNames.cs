using System.Net;
using System.Net.Sockets;

namespace Larder.Client.Fronts;

/// <summary>Which addresses of a name are fronts: a function of what it resolves to (FRONT-3).</summary>
internal static class FrontNames
{
    /// <summary>The addresses that are fronts; none where the name is one front, reached by its name.</summary>
    public static IPAddress[] FrontsOf(IEnumerable<IPAddress> resolved)
    {
        ILookup<AddressFamily, IPAddress> families = resolved.Distinct().ToLookup(static address => address.AddressFamily);
        IEnumerable<IPAddress> four = families[AddressFamily.InterNetwork];
        IEnumerable<IPAddress> six = families[AddressFamily.InterNetworkV6];
        IEnumerable<IPAddress> fronts = six.Count() > four.Count() ? six : four;
        return fronts.Count() > 1 ? [.. fronts.Take(ServerAddress.MostFronts)] : [];
    }
}
