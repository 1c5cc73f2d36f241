using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Fleet;
using Larder.Server.Tests.Pipeline;
using Larder.Server.Tests.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Costs;

/// <summary>Runs the costliest legal request of every rpc in the table of operations while another client, the neighbour, makes cheap calls.</summary>
[Collection(nameof(SequentialMeasurements))]
public sealed class CostliestRequestTests : IDisposable
{
    // The memory of the server. It is large enough that no entry is evicted between a call and the calls that prepare it.
    private const long MemoryBytes = 512L << 20;

    // The largest message of a pipeline is 11,010,048 bytes.
    private const int MessageBytes = 11_000_000;

    // The number of calls that each connection of the neighbour must complete while a message of costly operations runs. A blocked connection completes only
    // the call in progress, and one call before and after the message. If work that takes a second is interrupted every half millisecond, a connection can
    // complete a hundred times as many calls as required. On a loaded machine, both clients are slower by the same factor.
    private const int MinCalls = 10;

    private readonly TokensOnDisk _tokens = new(TokensOnDisk.Entry(CostliestRequests.Issuer, "admin", "*"));
    private readonly RpcHeaders _headers = RunningServer.CacheHeaders().With("authorization", TokensOnDisk.SecretOf(CostliestRequests.Issuer));

    public void Dispose() => _tokens.Dispose();

    [Fact]
    public void Every_RPC_has_a_costliest_request()
    {
        string[] known = [.. CallPolicies.All.Select(static policy => policy.Path)];
        string[] missing = [.. known.Except(CostliestRequests.Paths)];
        string[] unknown = [.. CostliestRequests.Paths.Except(known)];
        Assert.True(missing.Length == 0, $"no costliest request in {nameof(CostliestRequests)}: {string.Join(", ", missing)}");
        Assert.True(unknown.Length == 0, $"not in the table of operations: {string.Join(", ", unknown)}");
        Assert.Throws<InvalidOperationException>(static () => CostliestRequests.Of("/no.Such/Call"));
    }

    [Fact]
    public async Task Unary_costliest_requests_do_not_starve_other_clients()
    {
        await using RunningServer server = await RunningServer.StartAsync(With);
        await RunUnaryAsync(server, isFleet: false);
    }

    [Fact]
    public async Task Pipelined_costliest_requests_do_not_starve_other_clients()
    {
        await using RunningServer server = await RunningServer.StartAsync(With);
        await RunPipelinedAsync(server);
    }

    [Fact]
    public async Task Unary_costliest_requests_through_gateway_do_not_starve_other_clients()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await StartGatewayAsync(cluster.Url);
        await RunUnaryAsync(gateway, isFleet: true);
    }

    [Fact]
    public async Task Pipelined_costliest_requests_through_gateway_do_not_starve_other_clients()
    {
        using RedisCluster cluster = new();
        await using RunningServer gateway = await StartGatewayAsync(cluster.Url);
        await RunPipelinedAsync(gateway);
    }

    [Fact]
    public async Task Message_of_costly_operations_does_not_starve_other_clients()
    {
        await using RunningServer server = await RunningServer.StartAsync(With);
        await RunMessagesAsync(server, int.MaxValue);
    }

    // There is one node, so that the neighbour's keys are on the node that runs the costly operations.
    [Fact]
    public async Task Costly_operations_behind_a_gateway_do_not_starve_other_clients()
    {
        using RedisServer redis = new();
        await using RunningServer gateway = await StartGatewayAsync(redis.Url);
        // The gateway pauses after each costly operation on a node. With more operations, the message would exceed the gateway's own deadline of 15 s.
        await RunMessagesAsync(gateway, mostRepeats: 100);
    }

    // Sends a full message of each costly operation. The test does not measure time. Instead, it counts the neighbour's calls until the last response has
    // arrived.
    private async Task RunMessagesAsync(RunningServer server, int mostRepeats)
    {
        await using PipelineClient client = await PipelineClient.OpenAsync(server, _headers);
        await using CheapCallLoad neighbour = new(server, _headers);
        List<string> starved = [];
        foreach (CallPolicy policy in CallPolicies.All.Where(static policy => CostliestRequests.Of(policy.Path).Repeats > 1))
        {
            CostliestCall call = CostliestRequests.Of(policy.Path);
            await PrepareAsync(server, call);
            await neighbour.UntilServedAsync();
            Operation operation = RequestOf.Operation(policy, call.Request, "");
            int repeats = Math.Min(Math.Min(call.Repeats, mostRepeats), MessageBytes / operation.CalculateSize());
            long[] before = neighbour.Calls;
            await client.SendAsync(Enumerable.Range(1, repeats).Select(id => new Operation(operation) { Id = (uint)id }));
            Dictionary<uint, Result> results = await client.ReadResultsAsync(repeats);
            long[] served = [.. neighbour.Calls.Zip(before, static (now, then) => now - then)];
            Assert.All(results.Values, result => AssertOutcome(policy.Path, call.PipelinedOutcome, OutcomeOf(policy, result)));
            starved.AddRange(served.Min() >= MinCalls ? [] : [$"{policy.Path} ({string.Join(", ", served)})"]);
            await neighbour.AssertServedAsync();
        }

        Assert.True(starved.Count == 0, $"the neighbour's connections completed fewer than {MinCalls} calls: {string.Join("; ", starved)}");
    }

    private async Task RunUnaryAsync(RunningServer server, bool isFleet)
    {
        await using CheapCallLoad neighbour = new(server, _headers);
        foreach (CallPolicy policy in CallPolicies.All)
        {
            CostliestCall call = CostliestRequests.Of(policy.Path);
            await neighbour.UntilServedAsync();
            try
            {
                await PrepareAsync(server, call);
                AssertOutcome(policy.Path, call.Outcome, await UnaryAsync(server, policy, call.Request));
            }
            catch (RpcException refused) when (isFleet && refused.Status.Code == StatusCode.Unimplemented)
            {
                Assert.StartsWith("/larder.v1.Extras/", policy.Path, StringComparison.Ordinal);
            }

            await neighbour.UntilServedAsync();
        }
    }

    private async Task RunPipelinedAsync(RunningServer server)
    {
        await using CheapCallLoad neighbour = new(server, _headers);
        await using PipelineClient client = await PipelineClient.OpenAsync(server, _headers);
        foreach (CallPolicy policy in CallPolicies.All.Where(static policy => policy.PipelineField != 0))
        {
            CostliestCall call = CostliestRequests.Of(policy.Path);
            await PrepareAsync(server, call);
            await neighbour.UntilServedAsync();
            Result result = await client.AskAsync(RequestOf.Operation(policy, call.Request, ""));
            AssertOutcome(policy.Path, call.PipelinedOutcome, OutcomeOf(policy, result));
            await neighbour.UntilServedAsync();
        }
    }

    private async Task PrepareAsync(RunningServer server, CostliestCall call)
    {
        foreach ((string path, IMessage request) in call.Before)
        {
            try
            {
                await UnaryAsync(server, CallPolicy.Of(path)!, request);
            }
            catch (RpcException error) when (error.Status.Code is StatusCode.NotFound or StatusCode.AlreadyExists)
            {
                // A preparing call may fail, because there may be nothing to delete, or the cache may already exist.
            }
        }
    }

    private async Task<string> UnaryAsync(RunningServer server, CallPolicy policy, IMessage request)
    {
        MessageParser parser = RequestOf.Answer(policy).Parser;
        RpcMethod<IMessage, byte[]> method = new(policy.Path, new AnyMessageCodec(), new RawCodec());
        string outcome = "";
        IAsyncEnumerable<byte[]> answers = server.Channel.ServerStreamAsync(method, request, _headers, RunningServer.Patience, CancellationToken.None);
        await foreach (byte[] answer in answers)
        {
            outcome = CostliestCall.OutcomeOf(parser.ParseFrom(answer));
            if (policy.Path == PubsubService.SubscribePath && outcome != "heartbeat")
            {
                // A subscription runs until it is cancelled.
                break;
            }
        }

        return outcome;
    }

    private static string OutcomeOf(CallPolicy policy, Result result)
    {
        FieldDescriptor? arm = Result.Descriptor.Oneofs[0].Accessor.GetCaseFieldDescriptor(result);
        return arm?.FieldNumber == policy.PipelineField ? CostliestCall.OutcomeOf((IMessage)arm.Accessor.GetValue(result))
            : arm?.FieldNumber == Result.StatusFieldNumber ? $"{(StatusCode)result.Status.Code}: {result.Status.Message}"
            : arm?.Name ?? "";
    }

    private static void AssertOutcome(string path, string expected, string actual) =>
        Assert.True(expected == actual, $"{path}: {actual}, where {expected} is documented");

    private ServerOptions With(ServerOptions options)
    {
        string keys = _tokens.Path + ".key";
        if (!File.Exists(keys))
        {
            TokenKeys.AddTo(keys);
        }

        return options with { MemoryBytes = MemoryBytes, TokensPath = _tokens.Path, TokenKeyPath = keys };
    }

    private async Task<RunningServer> StartGatewayAsync(string url)
    {
        RunningServer gateway = await RunningServer.StartAsync(options => With(options) with { Store = url });
        await Larder.Redis.Tests.Eventually.UntilAsync(() => IsReadyAsync(gateway), "the gateway reaches its cluster");
        return gateway;
    }

    private async Task<bool> IsReadyAsync(RunningServer gateway)
    {
        try
        {
            await gateway.CallAsync<GetResponse>("/cache_client.Scs/Get", new GetRequest { Key = ByteString.CopyFromUtf8("any") }, _headers);
            return true;
        }
        catch (RpcException error) when (error.Status.Code == StatusCode.Unavailable)
        {
            return false;
        }
    }
}
