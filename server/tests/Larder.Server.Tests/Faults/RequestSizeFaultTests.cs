using Google.Protobuf.Reflection;
using Larder.Harness.Redis;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Pipeline;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Fleet;
using Larder.Server.Tests.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>
/// Sends the largest accepted request to every call of a server and of a gateway. The request is as expensive to parse as possible. Also sends larger requests.
/// </summary>
[Collection(nameof(SequentialMeasurements))]
public sealed class RequestSizeFaultTests : IDisposable
{
    // The maximum number of bytes that a call may allocate, divided by the size of its request. The message itself is received into pooled blocks. A call may
    // also copy its request twice: once into the command for its node, and once when the buffer of this command grows. Generated messages allocated 40 times
    // the size of the request.
    private const int MaxCopies = 3;

    // GetBatch responds in windows of 128 items as the caller reads them. In a gateway, each window leaves about 5 KB of garbage. If the items have the
    // smallest size (seven bytes), this is six times the size of the request. The garbage is not retained.
    private const int MaxCopiesPerStream = 8;

    // The allocations of a small call in the client and the server, which share this process.
    private const int SlackBytes = 512 * 1024;

    // Blocks are cut from slabs of 32 MB, and any request may need another slab. In this case, the slab has already been allocated when the test tries a second
    // or third time.
    private const int Tries = 3;

    // The deadline of a call. It ends calls that process their elements for a longer time.
    private const string Deadline = "2S";

    private readonly HttpClient _client = new() { Timeout = RunningServer.Patience };
    private readonly RedisServer _redis = new();

    public void Dispose()
    {
        _client.Dispose();
        _redis.Dispose();
    }

    [Fact]
    public async Task P4_every_RPC_has_a_request_size_limit()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        IReadOnlyDictionary<string, int> limits = server.Server.MaxRequestBytes;
        Assert.All(CallPolicies.All, policy => Assert.Contains(policy.Path, limits.Keys));
        Assert.All([TokenService.Path, PingService.Path, .. HealthService.Paths], path => Assert.InRange(limits[path], 1, 8 * 1024));
        Assert.All(limits.Values, static bytes => Assert.InRange(bytes, 1, 11_010_048));
        Assert.Throws<InvalidOperationException>(() => new RequestLimits(1).Of("/larder.v1.Extras/Another"));
    }

    [Fact]
    public void P4_generated_table_marks_requests_with_repeated_fields()
    {
        static bool HasList(MessageDescriptor message) => message.Fields.InDeclarationOrder()
            .Any(static field => field.IsRepeated || (field.FieldType == FieldType.Message && HasList(field.MessageType)));

        Dictionary<string, bool> expected = CacheReflection.Descriptor.Services.Single(static service => service.Name == "Scs").Methods
            .ToDictionary(static method => method.Name, static method => HasList(method.InputType));
        Assert.Equal(expected, CacheCalls.Single.Concat(CacheCalls.Batches).ToDictionary(static call => call.Name, static call => call.HasList));
    }

    [Theory]
    [InlineData(FaultCalls.Set, 1, 1 + RequestLimits.MarginBytes)]
    [InlineData(FaultCalls.Set, 5_000_192, 5_000_192 + RequestLimits.MarginBytes)]
    [InlineData("/cache_client.Scs/SetIf", 5_000_192, (2 * 5_000_192) + RequestLimits.MarginBytes)]
    [InlineData("/cache_client.Scs/SetIf", 8_000_000, 11_010_048)]
    [InlineData("/cache_client.Scs/SetBatch", 1, 11_010_048)]
    public async Task P4_single_item_request_limit_follows_the_item_size_limit(string path, int maxItemBytes, int expected)
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MaxItemBytes = maxItemBytes });
        Assert.Equal(expected, server.Server.MaxRequestBytes[path]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task P2_largest_request_of_every_RPC_allocates_bounded_memory(bool isGateway)
    {
        await using RunningServer server = await StartAsync(isGateway);
        List<string> faults = [];
        foreach ((string path, int limit) in server.Server.MaxRequestBytes)
        {
            await CheckAsync(server, path, "unknown fields", LargestRequests.OfUnknownFields(limit), faults);
            foreach ((string field, byte[] request) in LargestRequests.OfTinyElements(path, limit))
            {
                await CheckAsync(server, path, field, request, faults);
            }
        }

        Assert.True(faults.Count == 0, string.Join(Environment.NewLine, faults));
        await server.Channel.AssertServesAsync();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task P2_largest_pipeline_message_allocates_bounded_memory(bool isGateway)
    {
        // The overhead of the operation that contains a request: tags, lengths and id.
        const int AroundBytes = 32;
        await using RunningServer server = await StartAsync(isGateway);
        List<string> faults = [];
        await CheckAsync(server, PipelineService.Path, "unknown fields", LargestRequests.OfUnknownFields(PipelineLimits.MaxReceiveBytes, []), faults);
        foreach (CallPolicy policy in CallPolicies.All.Where(static each => each.PipelineField != 0))
        {
            foreach ((string field, byte[] request) in LargestRequests.OfTinyElements(policy.Path, PipelineLimits.MaxReceiveBytes - AroundBytes))
            {
                byte[] message = LargestRequests.InPipeline(policy.PipelineField, request);
                await CheckAsync(server, PipelineService.Path, $"{policy.Path} {field}", message, faults);
            }
        }

        Assert.True(faults.Count == 0, string.Join(Environment.NewLine, faults));
        await server.Channel.AssertServesAsync();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task P4_every_RPC_rejects_oversized_request_before_reading_it(bool isGateway)
    {
        await using RunningServer server = await StartAsync(isGateway);
        List<string> faults = [];
        foreach ((string path, int limit) in server.Server.MaxRequestBytes)
        {
            foreach (int bytes in (int[])[limit + 1, 10 * limit])
            {
                // The declared bytes are never sent. The server must reject the call without waiting for them.
                Answer answer = await PostAsync(server, path, new UnfinishedContent(LargestRequests.Announcing(bytes)));
                if (answer.Status != "8" || answer.Cause != "request_size_limit_exceeded" || !answer.Message.Contains($"{limit}", StringComparison.Ordinal))
                {
                    faults.Add($"{path}, {bytes} bytes of {limit}: {answer}");
                }
            }
        }

        Assert.True(faults.Count == 0, string.Join(Environment.NewLine, faults));
        await server.Channel.AssertServesAsync();
    }

    [Fact]
    public async Task P2_disposable_token_request_with_many_permissions_allocates_bounded_memory()
    {
        using TokensOnDisk tokens = new(TokensOnDisk.Entry("ops", "admin", "*"));
        string keys = tokens.Path + ".key";
        TokenKeys.AddTo(keys);
        await using RunningServer server = await RunningServer.StartAsync(options => options with { TokensPath = tokens.Path, TokenKeyPath = keys });
        _client.DefaultRequestHeaders.TryAddWithoutValidation("authorization", TokensOnDisk.SecretOf("ops"));
        List<string> faults = [];
        foreach ((string field, byte[] request) in LargestRequests.OfTinyElements(TokenService.Path, RequestLimits.TokenBytes))
        {
            await CheckAsync(server, TokenService.Path, field, request, faults);
        }

        await CheckAsync(server, TokenService.Path, "unknown fields", LargestRequests.OfUnknownFields(RequestLimits.TokenBytes), faults);
        Assert.True(faults.Count == 0, string.Join(Environment.NewLine, faults));
    }

    private async Task<RunningServer> StartAsync(bool isGateway)
    {
        // With this memory, the buffers have at least 64 MiB, of which one connection may use half. This is enough to receive a request of 10.5 MB, which takes
        // 16 MB.
        static ServerOptions With(ServerOptions options) => options with { MemoryBytes = 512 << 20 };
        RunningServer server = isGateway ? await RunningGateway.StartAsync(_redis.Url, With) : await RunningServer.StartAsync(With);

        // Send requests first, so that the server allocates the slabs that the largest requests need.
        foreach (string path in (string[])["/cache_client.Scs/SetUnion", "/cache_client.Scs/SetBatch"])
        {
            foreach ((_, byte[] request) in LargestRequests.OfTinyElements(path, server.Server.MaxRequestBytes[path]))
            {
                await PostAsync(server, path, new ByteArrayContent(request));
            }
        }

        return server;
    }

    private async Task CheckAsync(RunningServer server, string path, string what, byte[] request, List<string> faults)
    {
        long most = SlackBytes + ((long)(path == BatchService.GetBatchPath ? MaxCopiesPerStream : MaxCopies) * request.Length);
        long least = long.MaxValue;
        Answer answer = default!;
        for (int tried = 0; tried < Tries && least > most; tried++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            answer = await PostAsync(server, path, new ByteArrayContent(request));
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        // The request must pass the limit of its route, and no handler may fail.
        if (least > most || answer.Status is "13" || answer.Message.Contains("exceeds the request limit", StringComparison.Ordinal))
        {
            faults.Add($"{path}, {what}: {request.Length} bytes allocate {least}, at most {most}; {answer}");
        }
    }

    private async Task<Answer> PostAsync(RunningServer server, string path, HttpContent content)
    {
        using HttpRequestMessage request = new(HttpMethod.Post, new Uri(server.Server.Endpoint, path))
        {
            Version = new Version(2, 0),
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = content,
        };
        request.Content.Headers.TryAddWithoutValidation("content-type", "application/grpc");
        request.Headers.TryAddWithoutValidation("cache", RunningServer.Cache);
        request.Headers.TryAddWithoutValidation("grpc-timeout", Deadline);
        using HttpResponseMessage response = await _client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        await using Stream body = await response.Content.ReadAsStreamAsync();
        await body.CopyToAsync(Stream.Null);
        return new Answer(Find(response, "grpc-status"), Find(response, "grpc-message"), Find(response, "err"));
    }

    private static string Find(HttpResponseMessage response, string name) =>
        (response.Headers.TryGetValues(name, out IEnumerable<string>? values) || response.TrailingHeaders.TryGetValues(name, out values))
            ? Uri.UnescapeDataString(values.Single())
            : "";

    private sealed record Answer(string Status, string Message, string Cause);

    // Sends the start of a request body and then keeps the request open.
    private sealed class UnfinishedContent(byte[] start) : HttpContent
    {
        protected override async Task SerializeToStreamAsync(Stream stream, System.Net.TransportContext? context)
        {
            await stream.WriteAsync(start);
            await stream.FlushAsync();
            await Task.Delay(RunningServer.Patience);
        }

        protected override async Task SerializeToStreamAsync(Stream stream, System.Net.TransportContext? context, CancellationToken cancellationToken)
        {
            await stream.WriteAsync(start, cancellationToken);
            await stream.FlushAsync(cancellationToken);
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
