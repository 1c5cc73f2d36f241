using System.Buffers;

namespace Larder.Wire.Tests.Server;

/// <summary>Tests responses that the connection reads from a source.</summary>
public sealed class PushStreamTests
{
    private const string Path = "/test.Push/Follow";

    private static readonly RpcMethod<byte[], byte[]> Method = new(Path, new BytesCodec(), new BytesCodec());

    [Fact]
    public async Task Signal_sends_source_messages_and_End_sends_status()
    {
        ByteSource source = new();
        PushStream? stream = null;
        await using TestServer server = await StartAsync(async (pushed, call) =>
        {
            stream = pushed;
            await pushed.RunAsync(source);
            call.Fail(new Status(StatusCode.Unavailable, "over"));
        });
        source.Add([1]);
        await using RpcChannel channel = server.Connect();
        await using IAsyncEnumerator<byte[]> answers = Follow(channel);
        Assert.Equal([1], await NextAsync(answers));
        source.Add([2]);
        source.Add([]);
        stream!.Signal();
        Assert.Equal([2], await NextAsync(answers));
        Assert.Empty(await NextAsync(answers));
        source.Add([3]);
        stream.End();
        Assert.Equal([3], await NextAsync(answers));
        RpcException end = await Assert.ThrowsAsync<RpcException>(() => NextAsync(answers));
        Assert.Equal((StatusCode.Unavailable, "over"), (end.Status.Code, end.Status.Message));
    }

    [Fact]
    public async Task Headers_are_sent_before_first_message()
    {
        await using TestServer server = await StartAsync(async (pushed, call) =>
        {
            call.AddHeader("place", "7-1");
            pushed.End();
            await pushed.RunAsync(new ByteSource());
        });
        using HttpClient http = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = TestCalls.Patience };
        using HttpRequestMessage request = new(HttpMethod.Post, new Uri(server.Endpoint, Path))
        {
            Version = System.Net.HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(RawCall.Frame([], isCompressed: false)),
        };
        request.Content.Headers.TryAddWithoutValidation("content-type", "application/grpc");
        using HttpResponseMessage response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        Assert.Equal("7-1", Assert.Single(response.Headers.GetValues("place")));
        Assert.Empty(await response.Content.ReadAsByteArrayAsync());
        Assert.Equal("0", Assert.Single(response.TrailingHeaders.GetValues("grpc-status")));
    }

    [Fact]
    public async Task Message_larger_than_window_arrives_complete()
    {
        ByteSource source = new();
        byte[] large = new byte[3_000_000];
        new Random(1).NextBytes(large);
        source.Add(large);
        source.Add([9]);
        await using TestServer server = await StartAsync((pushed, _) => new ValueTask(pushed.RunAsync(source)));
        await using RpcChannel channel = server.Connect(options => options with { StreamWindowBytes = 65_535 });
        await using IAsyncEnumerator<byte[]> answers = Follow(channel);
        Assert.Equal(large, await NextAsync(answers));
        Assert.Equal([9], await NextAsync(answers));
    }

    [Fact]
    public async Task Stalled_reader_does_not_delay_other_streams_of_connection()
    {
        ByteSource stopped = new();
        ByteSource going = new();
        Queue<ByteSource> sources = new([stopped, going]);
        PushSet set = new();
        await using TestServer server = await StartAsync((pushed, _) => new ValueTask(pushed.RunAsync(sources.Dequeue(), set)));
        await using RpcChannel channel = server.Connect(options => options with { StreamWindowBytes = 65_535 });
        stopped.Add([0]);
        await using IAsyncEnumerator<byte[]> first = Follow(channel);
        Assert.Equal([0], await NextAsync(first));
        await using IAsyncEnumerator<byte[]> second = Follow(channel);
        going.Add([0]);
        Assert.Equal([0], await NextAsync(second));
        const int more = 200;
        for (int each = 0; each < more; each++)
        {
            stopped.Add(new byte[10_000]);
        }

        for (byte each = 1; each < 100; each++)
        {
            going.Add([each]);
            set.Signal();
            Assert.Equal([each], await NextAsync(second));
        }

        // The data of the source is much larger than the stream's window plus the client's read-ahead.
        Assert.InRange(stopped.Left, 1_000_000, more * 10_005);
        int reads = stopped.Reads;
        set.Signal();
        Assert.Equal(reads, stopped.Reads);
        for (int each = 0; each < more; each++)
        {
            Assert.Equal(10_000, (await NextAsync(first)).Length);
        }

        Assert.Equal(0, stopped.Left);
    }

    [Fact]
    public async Task PushSet_signals_all_streams_except_closed_ones()
    {
        PushSet set = new();
        List<ByteSource> sources = [];
        await using TestServer server = await StartAsync((pushed, _) =>
        {
            ByteSource source = new();
            source.Add([0]);
            lock (sources)
            {
                sources.Add(source);
            }

            return new ValueTask(pushed.RunAsync(source, set));
        });
        await using RpcChannel one = server.Connect();
        await using RpcChannel other = server.Connect();
        List<IAsyncEnumerator<byte[]>> followers = [];
        foreach (RpcChannel channel in (RpcChannel[])[one, one, one, other])
        {
            followers.Add(Follow(channel));
            Assert.Equal([0], await NextAsync(followers[^1]));
        }

        Assert.Equal((4, 2), (set.Count, set.Connections));
        sources.ForEach(static source => source.Add([1]));
        set.Signal();
        foreach (IAsyncEnumerator<byte[]> follower in followers)
        {
            Assert.Equal([1], await NextAsync(follower));
        }

        await followers[3].DisposeAsync();
        await followers[0].DisposeAsync();
        await UntilAsync(() => (set.Count, set.Connections) == (2, 1));
        Assert.Equal([1, 0, 0, 1], sources.Select(static source => source.Closings));
        await one.DisposeAsync();
        await UntilAsync(() => (set.Count, set.Connections) == (0, 0));
        set.Signal();
    }

    [Fact]
    public async Task RunAsync_returns_when_the_stream_was_already_cancelled()
    {
        TaskCompletionSource begun = new();
        TaskCompletionSource go = new();
        TaskCompletionSource ended = new();
        await using TestServer server = await StartAsync(async (pushed, _) =>
        {
            begun.SetResult();
            await go.Task;
            await pushed.RunAsync(new ByteSource());
            ended.SetResult();
        });
        await using RpcChannel channel = server.Connect();
        using CancellationTokenSource left = new();
        Task waiting = NextAsync(channel.ServerStreamAsync(Method, [], RpcHeaders.Empty, null, left.Token).GetAsyncEnumerator());
        await begun.Task.WaitAsync(TestCalls.Patience);
        await left.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        go.SetResult();
        await ended.Task.WaitAsync(TestCalls.Patience);
    }

    [Fact]
    public async Task Throwing_source_ends_only_its_own_connection()
    {
        PushSet set = new();
        Queue<IPushSource> sources = new([new Failing(), new ByteSource()]);
        ByteSource good = (ByteSource)sources.Last();
        await using TestServer server = await StartAsync((pushed, _) => new ValueTask(pushed.RunAsync(sources.Dequeue(), set)));
        await using RpcChannel one = server.Connect();
        await using RpcChannel other = server.Connect();
        await using IAsyncEnumerator<byte[]> failing = Follow(one);
        await Assert.ThrowsAsync<RpcException>(() => NextAsync(failing));
        await using IAsyncEnumerator<byte[]> following = Follow(other);
        good.Add([1]);
        Assert.Equal([1], await NextAsync(following));
        await UntilAsync(() => (set.Count, set.Connections) == (1, 1));
    }

    private static Task<TestServer> StartAsync(Func<PushStream, RpcContext, ValueTask> handler) =>
        TestServer.StartAsync(router => router.MapPush(Path, (_, stream, call) => handler(stream, call)));

    private static IAsyncEnumerator<byte[]> Follow(RpcChannel channel) =>
        channel.ServerStreamAsync(Method, [], RpcHeaders.Empty, timeout: null).GetAsyncEnumerator();

    private static async Task<byte[]> NextAsync(IAsyncEnumerator<byte[]> answers)
    {
        Assert.True(await answers.MoveNextAsync().AsTask().WaitAsync(TestCalls.Patience));
        return answers.Current;
    }

    private static async Task UntilAsync(Func<bool> holds)
    {
        using CancellationTokenSource patience = new(TestCalls.Patience);
        while (!holds())
        {
            await Task.Delay(5, patience.Token);
        }
    }

    private sealed class Failing : IPushSource
    {
        public int Read(Span<byte> room) => throw new InvalidOperationException("a source's own fault");
    }

    private sealed class BytesCodec : MessageCodec<byte[]>
    {
        public override int Measure(byte[] message) => message.Length;

        public override void Encode(byte[] message, IBufferWriter<byte> destination) => destination.Write(message);

        public override byte[] Decode(in ReadOnlySequence<byte> payload) => payload.ToArray();
    }
}
