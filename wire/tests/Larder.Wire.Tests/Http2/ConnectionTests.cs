using Larder.Protocol;
using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

/// <summary>Tests a connection to a server that follows the protocol.</summary>
public sealed class ConnectionTests
{
    [TimedFact]
    public async Task Response_split_at_any_byte_is_parsed()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync("first").AsTask();
        await peer.AcceptAsync();
        int length = int.MaxValue;
        for (int cut = 0; cut < length; cut++)
        {
            (int id, _) = await peer.ReadRequestAsync();
            byte[] answer = peer.Answer(id, $"cut at {cut:000}");
            length = answer.Length;
            await peer.SendAsync(answer[..cut]);
            await peer.SendAsync(answer[cut..]);
            Assert.Equal($"cut at {cut:000}", (await call.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
            call = channel.GetAsync("next").AsTask();
        }
    }

    [TimedFact]
    public async Task Responses_arriving_together_out_of_order_reach_their_calls()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse>[] calls = [.. Enumerable.Range(0, 50).Select(index => channel.GetAsync($"key {index}").AsTask())];
        await peer.AcceptAsync();
        List<byte[]> answers = [];
        for (int index = 0; index < calls.Length; index++)
        {
            (int id, string key) = await peer.ReadRequestAsync();
            answers.Add(peer.Answer(id, $"answer to {key}"));
        }

        // The first response adds its headers to the header table. The other responses only use these entries, so they can arrive in any order.
        await peer.SendAsync([.. answers[..1], .. Enumerable.Reverse(answers[1..])]);
        GetResponse[] responses = await Task.WhenAll(calls).WaitAsync(TestCalls.Patience);
        Assert.Equal(Enumerable.Range(0, 50).Select(index => $"answer to key {index}"), responses.Select(response => response.Value.ToStringUtf8()));
    }

    [TimedFact]
    public async Task Calls_above_stream_limit_wait_in_order_and_are_counted()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync((Http2Setting.MaxConcurrentStreams, 2));
        await connecting.WaitAsync(TestCalls.Patience);
        Task<GetResponse>[] calls = [.. Enumerable.Range(0, 5).Select(index => channel.GetAsync($"{index}").AsTask())];
        Assert.Equal((2, 3), (channel.ActiveCalls, channel.WaitingCalls));
        for (int index = 0; index < 5; index++)
        {
            (int id, string key) = await peer.ReadRequestAsync();
            Assert.Equal($"{index}", key);
            await peer.SendAsync(peer.Answer(id, key));
            Assert.Equal(key, (await calls[index].WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
        }

        Assert.Equal((0, 0), (channel.ActiveCalls, channel.WaitingCalls));
    }

    [TimedFact]
    public async Task Cancelled_waiting_call_is_never_sent()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync((Http2Setting.MaxConcurrentStreams, 1));
        await connecting.WaitAsync(TestCalls.Patience);
        using CancellationTokenSource giveUp = new();
        Task<GetResponse> first = channel.GetAsync("first").AsTask();
        Task<GetResponse> second = channel.UnaryAsync(TestCalls.Get, TestCalls.Key("second"), RpcHeaders.Empty, TestCalls.Patience, giveUp.Token).AsTask();
        Task<GetResponse> third = channel.GetAsync("third").AsTask();
        await giveUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.WaitAsync(TestCalls.Patience));
        (int id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(peer.Answer(id, "1"));
        (id, string key) = await peer.ReadRequestAsync();
        Assert.Equal("third", key);
        await peer.SendAsync(peer.Answer(id, "3"));
        await Task.WhenAll(first, third).WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Cancelled_call_resets_stream_and_late_response_is_ignored()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        using CancellationTokenSource giveUp = new();
        Task<GetResponse> cancelled = channel.UnaryAsync(TestCalls.Get, TestCalls.Key("late"), RpcHeaders.Empty, TestCalls.Patience, giveUp.Token).AsTask();
        await peer.AcceptAsync();
        (int late, _) = await peer.ReadRequestAsync();
        await giveUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(TestCalls.Patience));
        (_, byte[] code) = await peer.ReadAsync(Http2FrameType.ResetStream, late);
        Assert.Equal(FramePeer.Int32((int)Http2ErrorCode.Cancel), code);
        Task<GetResponse> next = channel.GetAsync("next").AsTask();
        (int id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(peer.Answer(late, "wrong"), peer.Answer(id, "right"));
        Assert.Equal("right", (await next.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task Request_larger_than_window_is_sent_as_window_grows()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync(new string('k', 95)).AsTask();
        await peer.AcceptAsync((Http2Setting.InitialWindowSize, 10));
        int id = (await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId;
        for (int part = 0; part < 10; part++)
        {
            (Http2FrameHeader header, byte[] payload) = await peer.ReadAsync(Http2FrameType.Data, id);
            Assert.Equal(10, payload.Length);
            Assert.False(header.Has(Http2FrameHeader.EndStream));
            await peer.SendAsync(FramePeer.WindowUpdate(id, 10));
        }

        (Http2FrameHeader last, byte[] rest) = await peer.ReadAsync(Http2FrameType.Data, id);
        Assert.Equal((2, true), (rest.Length, last.Has(Http2FrameHeader.EndStream)));
        await peer.SendAsync(peer.Answer(id, "all"));
        Assert.Equal("all", (await call.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task Request_waits_while_settings_make_its_window_negative()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync(new string('k', 95)).AsTask();
        await peer.AcceptAsync((Http2Setting.InitialWindowSize, 50));
        int id = (await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId;
        Assert.Equal(50, (await peer.ReadAsync(Http2FrameType.Data, id)).Payload.Length);
        await peer.SendAsync(FramePeer.Settings((Http2Setting.InitialWindowSize, 20)), FramePeer.WindowUpdate(id, 30), FramePeer.WindowUpdate(id, 7));
        Assert.Equal(7, (await peer.ReadAsync(Http2FrameType.Data, id)).Payload.Length);
        await peer.SendAsync(FramePeer.WindowUpdate(id, 1_000));
        Assert.Equal(45, (await peer.ReadAsync(Http2FrameType.Data, id)).Payload.Length);
        await peer.SendAsync(peer.Answer(id, "all"));
        await call.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Small_call_overtakes_large_call_that_waits_for_window()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> large = channel.GetAsync(new string('k', 40_000)).AsTask();
        await peer.AcceptAsync((Http2Setting.InitialWindowSize, 100));
        int first = (await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId;
        Task<GetResponse> small = channel.GetAsync("small").AsTask();
        int second = (await peer.ReadAsync(Http2FrameType.Headers)).Header.StreamId;
        await peer.ReadAsync(Http2FrameType.Data, second);
        await peer.SendAsync(peer.Answer(second, "small"));
        await small.WaitAsync(TestCalls.Patience);
        Assert.False(large.IsCompleted);
        await peer.SendAsync(peer.Answer(first, "answered early"));
        // The response is complete, so the rest of the request is cancelled.
        await large.WaitAsync(TestCalls.Patience);
        await peer.ReadAsync(Http2FrameType.ResetStream, first);
    }

    [TimedFact]
    public async Task Long_metadata_is_sent_in_CONTINUATION_frames()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        string value = new('v', 40_000);
        Task<GetResponse> call = channel
            .UnaryAsync(TestCalls.Get, TestCalls.Key("k"), new RpcHeaders([new("long", value)]), TestCalls.Patience, CancellationToken.None)
            .AsTask();
        await peer.AcceptAsync();
        (Http2FrameHeader header, byte[] block) = await peer.ReadAsync(Http2FrameType.Headers);
        List<byte> whole = [.. block];
        while (!header.Has(Http2FrameHeader.EndHeaders))
        {
            (header, block) = (await peer.ReadAsync())!.Value;
            Assert.Equal(Http2FrameType.Continuation, header.Type);
            whole.AddRange(block);
        }

        Hpack.HpackDecoderTests.Fields fields = new();
        peer.Decoder.Decode([.. whole], fields);
        Assert.Contains("long: " + value, fields.Names);
        await peer.SendAsync(peer.Answer(header.StreamId, "read"));
        await call.WaitAsync(TestCalls.Patience);
    }

    [TimedFact]
    public async Task Ping_is_acknowledged_with_same_payload()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync();
        await connecting.WaitAsync(TestCalls.Patience);
        await peer.SendAsync(FramePeer.Frame(Http2FrameType.Ping, 0, 0, "abcdefgh"u8));
        (Http2FrameHeader header, byte[] payload) = await peer.ReadAsync(Http2FrameType.Ping);
        Assert.True(header.Has(Http2FrameHeader.Acknowledged));
        Assert.Equal("abcdefgh", System.Text.Encoding.ASCII.GetString(payload));
    }

    [TimedFact]
    public async Task Padding_and_unknown_frames_are_ignored()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        Task<GetResponse> call = channel.GetAsync("k").AsTask();
        await peer.AcceptAsync();
        (int id, _) = await peer.ReadRequestAsync();
        await peer.SendAsync(
            FramePeer.Frame((Http2FrameType)99, 0xFF, id, 1, 2, 3),
            FramePeer.Frame(Http2FrameType.Priority, 0, id, 0, 0, 0, 0, 1),
            peer.Headers(id, endsStream: false, (":status", "103")),
            peer.AnswerHeaders(id),
            FramePeer.Frame(Http2FrameType.Data, Http2FrameHeader.Padded, id, [3, .. FramePeer.Message("padded"), 0, 0, 0]),
            FramePeer.Frame(Http2FrameType.Data, 0, id),
            peer.Trailers(id));
        Assert.Equal("padded", (await call.WaitAsync(TestCalls.Patience)).Value.ToStringUtf8());
    }

    [TimedFact]
    public async Task Blocking_caller_does_not_delay_other_responses_of_same_read()
    {
        await using FramePeer peer = new();
        await using RpcChannel channel = peer.Connect();
        using ManualResetEventSlim done = new();
        Task connecting = channel.ConnectAsync(CancellationToken.None).AsTask();
        await peer.AcceptAsync();
        await connecting.WaitAsync(TestCalls.Patience);
        Task blocked = BlockAsync();
        Task<GetResponse> other = channel.GetAsync("other").AsTask();
        (int first, _) = await peer.ReadRequestAsync();
        (int second, _) = await peer.ReadRequestAsync();
        await peer.SendAsync([.. peer.Answer(first, "1"), .. peer.Answer(second, "2")]);
        await other.WaitAsync(TestCalls.Patience);
        done.Set();
        await blocked.WaitAsync(TestCalls.Patience);

        async Task BlockAsync()
        {
            await channel.GetAsync("blocks").ConfigureAwait(false);
            Assert.True(done.Wait(TestCalls.Patience));
        }
    }

    [TimedFact]
    public async Task Blocking_caller_does_not_delay_other_connections()
    {
        await using TestServer server = await TestServer.StartAsync(TestCalls.MapEcho);
        // There are more connections than reactors, so that several connections share each reactor.
        RpcChannel[] channels = [.. Enumerable.Range(0, Environment.ProcessorCount * 3).Select(_ => server.Connect())];
        foreach (RpcChannel channel in channels)
        {
            await channel.ConnectAsync(CancellationToken.None);
        }

        using ManualResetEventSlim done = new();
        Task blocked = BlockAsync();
        for (int round = 0; round < 10; round++)
        {
            foreach (RpcChannel channel in channels)
            {
                Assert.Equal("other", (await channel.GetAsync("other")).Value.ToStringUtf8());
            }
        }

        done.Set();
        await blocked;
        foreach (RpcChannel channel in channels)
        {
            await channel.DisposeAsync();
        }

        async Task BlockAsync()
        {
            await channels[0].GetAsync("blocks").ConfigureAwait(false);
            Assert.True(done.Wait(TestCalls.Patience));
        }
    }
}
