using System.Net;
using Larder.Client.Calls;
using Larder.Client.Gateways;
using Larder.Client.Near;
using Larder.Client.Pipeline;
using Larder.Wire;
using Larder.Wire.Threads;
using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>
/// A set of gateways that all give access to the same items (spec/gateways.md). Each gateway has its own transport, and each attempt of a call chooses one of
/// the gateways that are up. If no gateway is up, calls wait in this set and not at one gateway, so that they can be sent to the first gateway that comes up.
/// While there is only one gateway, calls are sent directly to its transport.
/// </summary>
internal sealed partial class GatewaySet : ITransport
{
    private readonly GatewaySetOptions _options;
    private readonly CallRunner _runner;
    private readonly Clock _clock;
    private readonly long _startedAt;
    private readonly Func<TimeSpan> _now;
    private readonly ILogger _logger;
    private readonly Lock _lock = new();
    private readonly List<(Call Call, long Version)> _waiting = [];
    private readonly CancellationTokenSource _closing = new();
    private readonly HashSet<Gateway> _leaving = [];
    private Gateway[] _gateways;

    public GatewaySet(GatewaySetOptions options, CallRunner runner, ILogger logger)
    {
        _options = options;
        _runner = runner;
        _clock = runner.Clock;
        _startedAt = _clock.Now;
        _now = () => _clock.Between(_startedAt, _clock.Now);
        _logger = logger;
        _gateways = [.. options.Addresses.Select(address => Make(address, at: null))];
        _resolved = new IPAddress[options.Addresses.Count][];
    }

    /// <summary>Starts resolving names. The runner must already have a transport, because a change of the gateways replaces that transport.</summary>
    public void Begin()
    {
        if (_options.Addresses.Any(static address => address.IsName))
        {
            _ = ResolveAsync();
        }
    }

    /// <summary>
    /// Gets the transport of the only gateway, to which calls are sent directly. Null if there are several gateways, or if the only gateway is a resolved
    /// address.
    /// </summary>
    public ITransport? Only => Volatile.Read(ref _gateways) is [{ At: null } only] ? only.Transport : null;

    public string State => Only is { } only
        ? only.State
        : string.Join("; ", Volatile.Read(ref _gateways).Select(static gateway => $"{gateway.Name} {gateway.Transport.State}"));

    public int Connections => Volatile.Read(ref _gateways).Sum(static gateway => gateway.Transport.Connections);

    public bool IsPipelined => Volatile.Read(ref _gateways).Any(static gateway => gateway.Transport.IsPipelined);

    public void Start(Call call, long version) => Send(call, version, isCallersThread: true);

    public void Resume(Call call, long version) => Send(call, version, isCallersThread: false);

    public void Abandon(Call call, long version)
    {
        if (call.Route is PipelineStream stream)
        {
            stream.Abandon(call, version);
        }
        else
        {
            UnaryTransport.Abandon(call);
        }
    }

    /// <summary>Returns the current statistics of each gateway, in the order of the configured addresses.</summary>
    public GatewayStatistics[] Statistics() => [.. Volatile.Read(ref _gateways).Select(static gateway => gateway.Statistics())];

    /// <summary>
    /// Gets the current gateways. <c>IsUp</c> is true for gateways that are in rotation. Used by code that opens its own connections to the gateways.
    /// </summary>
    public IReadOnlyList<(GatewayAddress Address, IPAddress? At, bool IsUp)> Reachable =>
        [.. Volatile.Read(ref _gateways).Select(gateway => (gateway.Address, gateway.At, Takes(gateway)))];

    /// <summary>Records that a gateway has rejected an attempt of a call without executing the call (GATEWAY-9).</summary>
    public void OnRefused(Gateway? gateway) => gateway?.Refused(_now(), _options.Random());

    public async ValueTask DisposeAsync()
    {
        Cancellation.Cancel(_closing);
        List<(Call Call, long Version)> waiting;
        Gateway[] gateways;
        lock (_lock)
        {
            waiting = TakeWaiting();
            gateways = [.. _gateways, .. _leaving];
        }

        FailAll(waiting, new Failure(StatusCode.Cancelled, "The client was closed."));
        await Task.WhenAll(gateways.Select(static gateway => gateway.Transport.DisposeAsync().AsTask())).On(PoolQueue.Work);
    }

    private void Send(Call call, long version, bool isCallersThread)
    {
        Gateway? failedBy = call.HasFailed ? call.Gateway : null;
        if (_runner.Near is { } near && NearGateway(near, call) is { } kept && kept != failedBy && TrySend(kept, call, version, isCallersThread))
        {
            return;
        }

        // The chosen gateway does not accept the call if it has just lost its connection or if its stream has no unused id. Then choose again. The number of
        // tries is limited to the number of gateways plus 1.
        for (int tries = Volatile.Read(ref _gateways).Length; tries >= 0 && Choose(failedBy) is { } gateway; tries--)
        {
            if (TrySend(gateway, call, version, isCallersThread))
            {
                return;
            }
        }

        Wait(call, version);
    }

    private static bool TrySend(Gateway gateway, Call call, long version, bool isCallersThread)
    {
        call.Gateway = gateway;
        return gateway.Transport.TrySend(call, version, isCallersThread);
    }

    // Returns the gateway with the near stream if the call is a get whose value may be cached in the near cache (NEAR-20). Returns null if any gateway can be
    // used.
    private Gateway? NearGateway(NearReads near, Call call)
    {
        if (near.Stream is { } stream && near.Covers(call))
        {
            foreach (Gateway gateway in Volatile.Read(ref _gateways))
            {
                if (gateway.Transport == stream.Owner)
                {
                    return Takes(gateway) ? gateway : null;
                }
            }
        }

        return null;
    }

    private Gateway? Choose(Gateway? failedBy)
    {
        Gateway[] gateways = Volatile.Read(ref _gateways);
        (int one, int other) = GatewayChoice.Draw(gateways.Length, _options.Random(), _options.Random());
        Gateway first = gateways[one];
        Gateway second = gateways[other];
        return first != failedBy && second != failedBy && Takes(first) && Takes(second) ? LessLoaded(first, second) : ChooseAmongFew(gateways, failedBy);
    }

    // Called if one of the two random gateways is not usable. Chooses among the gateways that are in rotation. If no gateway is in rotation, chooses among the
    // connected gateways that are out of rotation. A retry uses a different gateway than the failed attempt, if there is one.
    private Gateway? ChooseAmongFew(Gateway[] gateways, Gateway? failedBy)
    {
        Span<int> some = stackalloc int[ServerAddress.MaxGateways];
        int count = 0;
        for (int i = 0; i < gateways.Length; i++)
        {
            if (Takes(gateways[i]))
            {
                some[count++] = i;
            }
        }

        bool isNoneTaking = count == 0;
        for (int i = 0; isNoneTaking && i < gateways.Length; i++)
        {
            if (gateways[i].Transport.IsReady)
            {
                some[count++] = i;
            }
        }

        int failed = count > 1 ? some[..count].IndexOf(Array.IndexOf(gateways, failedBy)) : -1;
        if (failed >= 0)
        {
            some[failed] = some[--count];
        }

        return ChooseRandom(gateways, some[..count]);
    }

    private Gateway? ChooseRandom(Gateway[] gateways, ReadOnlySpan<int> some)
    {
        if (some.IsEmpty)
        {
            return null;
        }

        (int one, int other) = GatewayChoice.Draw(some.Length, _options.Random(), _options.Random());
        return LessLoaded(gateways[some[one]], gateways[some[other]]);
    }

    private static Gateway LessLoaded(Gateway first, Gateway second) =>
        first == second ? first : GatewayChoice.LessLoaded(first, first.Transport.InFlight, second, second.Transport.InFlight);

    private bool Takes(Gateway gateway)
    {
        if (gateway.Transport.IsReady)
        {
            return !gateway.IsSuspended(_now);
        }

        EnsureConnecting(gateway);
        return false;
    }

    private Gateway Make(GatewayAddress address, IPAddress? at) => new(address, at, _options.Connect(address, at), _options.LongestWait);

    private static void FailAll(List<(Call Call, long Version)> calls, in Failure failure)
    {
        foreach ((Call call, long version) in calls)
        {
            call.Fail(version, failure);
        }
    }
}
