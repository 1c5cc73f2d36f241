using System.Net;
using System.Net.Sockets;

namespace Larder.Server.Security;

/// <summary>
/// Rate limiter for failed authentication, per address. After <see cref="MaxFailures"/> failures within <see cref="Window"/>, an address is blocked for
/// <see cref="BlockTime"/>. An IPv6 address counts as its /64 network, which is normally used by one caller. At most <see cref="MaxAddresses"/> addresses are
/// tracked. If there are more, the address whose window started first is dropped. Thread-safe.
/// </summary>
internal sealed class AuthenticationRateLimiter(TimeProvider time)
{
    public const int MaxFailures = 30;

    // Each tracked address takes about 100 bytes.
    public const int MaxAddresses = 4_096;

    public static readonly TimeSpan Window = TimeSpan.FromSeconds(10);
    public static readonly TimeSpan BlockTime = TimeSpan.FromSeconds(10);

    private const int NetworkBytes = 8;

    private readonly Lock _lock = new();
    private readonly Dictionary<IPAddress, Caller> _callers = [];

    // The tracked addresses, in the order in which their windows started, oldest first.
    private readonly LinkedList<IPAddress> _oldest = new();
    private long _lastBlockEnds = long.MinValue;

    /// <summary>Gets the number of tracked addresses.</summary>
    public int Addresses
    {
        get
        {
            lock (_lock)
            {
                return _callers.Count;
            }
        }
    }

    /// <summary>Returns whether an address is blocked. An unknown address (null) is never blocked.</summary>
    public bool IsBlocked(IPAddress? address)
    {
        long now = time.GetTimestamp();
        if (address is null || now >= Volatile.Read(ref _lastBlockEnds))
        {
            return false;
        }

        lock (_lock)
        {
            return _callers.TryGetValue(NetworkOf(address), out Caller? caller) && now < caller.BlockedUntil;
        }
    }

    /// <summary>Counts a failed authentication.</summary>
    /// <returns>True if this failure caused the address to be blocked.</returns>
    public bool Failed(IPAddress? address)
    {
        if (address is null)
        {
            return false;
        }

        long now = time.GetTimestamp();
        lock (_lock)
        {
            Caller caller = CallerOf(NetworkOf(address), now);
            if (now < caller.BlockedUntil || ++caller.Failures < MaxFailures)
            {
                return false;
            }

            caller.BlockedUntil = now + Ticks(BlockTime);
            Volatile.Write(ref _lastBlockEnds, Math.Max(_lastBlockEnds, caller.BlockedUntil));
            return true;
        }
    }

    private Caller CallerOf(IPAddress network, long now)
    {
        if (_callers.TryGetValue(network, out Caller? caller))
        {
            if (now < Math.Max(caller.BeganAt + Ticks(Window), caller.BlockedUntil))
            {
                return caller;
            }

            Forget(network, caller);
        }
        else if (_callers.Count == MaxAddresses)
        {
            Forget(_oldest.First!.Value, _callers[_oldest.First.Value]);
        }

        caller = new Caller(now, _oldest.AddLast(network));
        _callers.Add(network, caller);
        return caller;
    }

    private void Forget(IPAddress network, Caller caller)
    {
        _callers.Remove(network);
        _oldest.Remove(caller.Place);
    }

    private long Ticks(TimeSpan span) => (long)(span.TotalSeconds * time.TimestampFrequency);

    /// <summary>Returns the text under which an address is counted. For IPv6 it is the /64 network. It is empty if the address is unknown.</summary>
    public static string TextOf(IPAddress? address)
    {
        if (address is null)
        {
            return "";
        }

        IPAddress network = NetworkOf(address);
        return network.AddressFamily == AddressFamily.InterNetworkV6 ? $"{network}/{8 * NetworkBytes}" : network.ToString();
    }

    private static IPAddress NetworkOf(IPAddress address)
    {
        if (address.IsIPv4MappedToIPv6)
        {
            return address.MapToIPv4();
        }

        if (address.AddressFamily != AddressFamily.InterNetworkV6)
        {
            return address;
        }

        byte[] bytes = address.GetAddressBytes();
        bytes.AsSpan(NetworkBytes).Clear();
        return new IPAddress(bytes);
    }

    private sealed class Caller(long beganAt, LinkedListNode<IPAddress> place)
    {
        public long BeganAt { get; } = beganAt;

        public LinkedListNode<IPAddress> Place { get; } = place;

        public int Failures { get; set; }

        public long BlockedUntil { get; set; } = long.MinValue;
    }
}
