using System.Net;
using System.Net.Sockets;

namespace Larder.Wire.Sockets;

/// <summary>
/// The network that counts as one client. This is a single IPv4 address, or the /64 network of an IPv6 address, because one client normally controls such a
/// network.
/// </summary>
internal static class ClientNetwork
{
    private const int NetworkBytes = 8;

    /// <summary>Returns the network of an address. All unknown addresses share one network.</summary>
    public static IPAddress Of(IPAddress? address)
    {
        if (address is null)
        {
            return IPAddress.None;
        }

        if (address.IsIPv4MappedToIPv6)
        {
            return address.MapToIPv4();
        }

        if (address.AddressFamily != AddressFamily.InterNetworkV6)
        {
            return address;
        }

        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        bytes[NetworkBytes..].Clear();
        return new IPAddress(bytes);
    }
}
