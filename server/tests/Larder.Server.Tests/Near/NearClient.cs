using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Near;

/// <summary>A client of a near stream. It separates notifications from responses.</summary>
internal sealed class NearClient : IAsyncDisposable
{
    private const uint OpenId = 1_000_000;
    private const uint RenewId = 1_000_001;

    private readonly PipelineClient _pipeline;
    private uint _nextId = 1;

    private NearClient(PipelineClient pipeline) => _pipeline = pipeline;

    /// <summary>The tickets of the invalidations that were received and have not been removed from this set.</summary>
    public List<uint> Told { get; } = [];

    /// <summary>The number of clear notifications received.</summary>
    public int Clears { get; private set; }

    /// <summary>True after the server has announced that it is draining.</summary>
    public bool IsDraining { get; private set; }

    public static async Task<NearClient> OpenAsync(RunningServer server, RpcHeaders? headers = null)
    {
        NearClient client = new(await PipelineClient.OpenAsync(server, headers));
        Assert.Equal(3_000u, (await client.OpenNearAsync()).NearOpen.LeaseMs);
        return client;
    }

    /// <summary>Opens a stream that is not yet a near stream.</summary>
    public static async Task<NearClient> OpenPlainAsync(RunningServer server) => new(await PipelineClient.OpenAsync(server));

    public Task<Result> OpenNearAsync() => AskAsync(new Operation { Id = OpenId, NearOpen = new NearOpen() });

    public Task<Result> RenewAsync() => AskAsync(new Operation { Id = RenewId, NearRenew = new NearRenew() });

    public Task<Result> GetAsync(string key) => AskAsync(Get(_nextId++, key));

    public static Operation Get(uint id, string key)
    {
        Operation get = PipelineStreamTests.Get(id, key);
        get.Near = true;
        return get;
    }

    /// <summary>Sends one operation and reads until its result arrives.</summary>
    public async Task<Result> AskAsync(Operation operation)
    {
        await _pipeline.SendAsync(operation);
        Result? answer = null;
        while (answer is null)
        {
            answer = (await ReadAsync()).SingleOrDefault(result => result.Id == operation.Id);
        }

        return answer;
    }

    /// <summary>Sends operations without reading.</summary>
    public Task SendAsync(IEnumerable<Operation> operations) => _pipeline.SendAsync(operations);

    /// <summary>Reads until <paramref name="count"/> results have arrived. Returns the results by id.</summary>
    public async Task<Dictionary<uint, Result>> ReadResultsAsync(int count)
    {
        Dictionary<uint, Result> results = [];
        while (results.Count < count)
        {
            foreach (Result result in await ReadAsync())
            {
                Assert.True(results.TryAdd(result.Id, result), $"id {result.Id} was answered twice");
            }
        }

        return results;
    }

    /// <summary>Gets many keys. For each key, returns the ticket of the response minus one.</summary>
    public async Task<Dictionary<string, uint>> GetManyAsync(IReadOnlyList<string> keys)
    {
        Dictionary<string, uint> tickets = [];
        for (int at = 0; at < keys.Count; at += 1_000)
        {
            string[] part = [.. keys.Skip(at).Take(1_000)];
            await _pipeline.SendAsync(part.Select((key, i) => Get((uint)i, key)));
            for (int left = part.Length; left > 0;)
            {
                foreach (Result result in await ReadAsync())
                {
                    Assert.NotEqual(0u, result.Ticket);
                    tickets[part[result.Id]] = result.Ticket - 1;
                    left--;
                }
            }
        }

        return tickets;
    }

    /// <summary>Reads messages until <paramref name="isSo"/> returns true. Sends nothing.</summary>
    public async Task UntilInvalidatedAsync(Func<NearClient, bool> isSo)
    {
        while (!isSo(this))
        {
            await ReadAsync();
        }
    }

    /// <summary>Renews the lease. Afterwards, all notifications that were sent before the response are in <see cref="Told"/>.</summary>
    public Task SettleAsync() => RenewAsync();

    public static Operation Set(string key, string value, ulong ttlMs = 60_000) => PipelineStreamTests.Set(1, key, value, ttlMs);

    public ValueTask DisposeAsync() => _pipeline.DisposeAsync();

    private async Task<IEnumerable<Result>> ReadAsync()
    {
        BatchResult message = await _pipeline.ReadAsync() ?? throw new InvalidOperationException("the stream has ended");
        Told.AddRange(message.Invalidated);
        Clears += message.Clear ? 1 : 0;
        IsDraining |= message.Draining;
        return message.Results;
    }
}
