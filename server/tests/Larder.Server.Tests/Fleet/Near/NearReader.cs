using System.Globalization;
using Larder.Protocol;
using Larder.Server.Tests.Near;
using Larder.Server.Tests.Pipeline;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>
/// A client that stores copies of values according to NEAR-22 to NEAR-24. All values are numbers. The client has no clock, so its copies do not expire.
/// </summary>
internal sealed class NearReader : IAsyncDisposable
{
    private const uint OpenId = 1_000_000;
    private const uint RenewId = 1_000_001;

    private readonly PipelineClient _pipeline;
    private readonly Dictionary<uint, Get> _inFlight = [];
    private readonly Dictionary<string, long> _seen = [];
    private readonly Dictionary<string, Copy> _copies = [];

    private NearReader(PipelineClient pipeline) => _pipeline = pipeline;

    /// <summary>The keys that have a copy, each with the number in its copy.</summary>
    public IEnumerable<KeyValuePair<string, long>> Copies => _copies.Select(static pair => KeyValuePair.Create(pair.Key, pair.Value.Number));

    /// <summary>The number of copies kept so far.</summary>
    public int Kept { get; private set; }

    /// <summary>The number of copies that a ticket has invalidated so far.</summary>
    public int Dropped { get; private set; }

    /// <summary>The number of clear notifications received.</summary>
    public int Clears { get; private set; }

    /// <summary>Whether a key may revert to a value that is older than a value that was already read. A failover may lose writes.</summary>
    public bool MayGoBack { get; init; }

    public static async Task<NearReader> OpenAsync(RunningServer gateway, bool mayGoBack = false)
    {
        NearReader reader = new(await PipelineClient.OpenAsync(gateway)) { MayGoBack = mayGoBack };
        await reader._pipeline.SendAsync(new Operation { Id = OpenId, NearOpen = new NearOpen() });
        await reader.ReadUntilAsync(OpenId);
        await reader.RenewAsync();
        return reader;
    }

    /// <summary>Gets the keys with one request, including keys that have a copy.</summary>
    public async Task GetAsync(IEnumerable<string> keys)
    {
        Operation[] gets = [.. keys.Distinct().Select(static (key, id) => NearClient.Get((uint)id, key))];
        foreach (Operation get in gets)
        {
            _inFlight[get.Id] = new Get(get.Get.Key.ToStringUtf8());
        }

        await _pipeline.SendAsync(gets);
        while (_inFlight.Count > 0)
        {
            await ReadAsync();
        }
    }

    /// <summary>Renews the lease. The copies that remain afterwards were valid when this method was called.</summary>
    public async Task RenewAsync()
    {
        Result renewed;
        do
        {
            await _pipeline.SendAsync(new Operation { Id = RenewId, NearRenew = new NearRenew() });
            renewed = await ReadUntilAsync(RenewId);
        }
        while (renewed.OutcomeCase == Result.OutcomeOneofCase.Status);
    }

    public ValueTask DisposeAsync() => _pipeline.DisposeAsync();

    private async Task<Result> ReadUntilAsync(uint id)
    {
        while (true)
        {
            if ((await ReadAsync()).FirstOrDefault(result => result.Id == id) is { } answer)
            {
                return answer;
            }
        }
    }

    private async Task<IReadOnlyList<Result>> ReadAsync()
    {
        BatchResult message = await _pipeline.ReadAsync() ?? throw new InvalidOperationException("the stream has ended");
        foreach (uint ticket in message.Invalidated)
        {
            OnTicket(ticket);
        }

        if (message.Clear)
        {
            Clears++;
            _copies.Clear();
            foreach (Get get in _inFlight.Values)
            {
                get.IsPoisoned = true;
            }
        }

        foreach (Result result in message.Results)
        {
            if (_inFlight.Remove(result.Id, out Get? get))
            {
                OnAnswer(get, result);
            }
        }

        return message.Results;
    }

    private void OnTicket(uint ticket)
    {
        foreach (Get get in _inFlight.Values)
        {
            get.Told.Add(ticket);
        }

        foreach (string key in _copies.Where(pair => pair.Value.Ticket == ticket).Select(static pair => pair.Key).ToArray())
        {
            _copies.Remove(key);
            Dropped++;
        }
    }

    private void OnAnswer(Get get, Result result)
    {
        _copies.Remove(get.Key);
        if (result.OutcomeCase != Result.OutcomeOneofCase.Get || result.Get.Result != CacheResult.Hit)
        {
            return;
        }

        long number = long.Parse(result.Get.Value.ToStringUtf8(), CultureInfo.InvariantCulture);
        Assert.True(MayGoBack || number >= _seen.GetValueOrDefault(get.Key), $"{get.Key} goes back from {_seen.GetValueOrDefault(get.Key)} to {number}");
        _seen[get.Key] = number;
        if (result.Ticket != 0 && !get.IsPoisoned && !get.Told.Contains(result.Ticket - 1))
        {
            _copies[get.Key] = new Copy(number, result.Ticket - 1);
            Kept++;
        }
    }

    private readonly record struct Copy(long Number, uint Ticket);

    private sealed class Get(string key)
    {
        public string Key => key;

        public HashSet<uint> Told { get; } = [];

        public bool IsPoisoned { get; set; }
    }
}
