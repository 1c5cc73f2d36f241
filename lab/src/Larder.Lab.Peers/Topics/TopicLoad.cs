using System.Buffers.Binary;
using System.Diagnostics;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Peers.Topics;

/// <summary>
/// One publisher and the subscribers of its topic. Each message contains its due time and its lane. Publisher and subscribers share a process. Therefore one
/// clock times each delivery, and the publisher can wait for the last subscriber.
/// </summary>
internal sealed class TopicLoad(ITopicTarget target, int messageBytes) : IDisposable
{
    private const int NoLane = -1;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    // The maximum number of messages in flight in the open loop. If it is reached, the peer is overloaded. Due messages then wait, which increases their
    // measured latency.
    private readonly SemaphoreSlim _room = new(1_000);
    private TopicLane[] _lanes = [];
    private TopicTally _tally = new(0, 0);
    private long _delivered;
    private long _gaps;
    private int _subscribers;

    /// <summary>Starts the subscriptions.</summary>
    public async Task<JsonObject> FollowAsync(int subscribers)
    {
        _subscribers = subscribers;
        await target.FollowAsync(subscribers, this).ConfigureAwait(false);
        return new JsonObject { ["result"] = "success" };
    }

    /// <summary>Records a message that a subscriber received. Thread-safe.</summary>
    public void Delivered(ReadOnlySpan<byte> message)
    {
        long now = Stopwatch.GetTimestamp();
        _tally.Add(BinaryPrimitives.ReadInt64LittleEndian(message), now);
        int lane = BinaryPrimitives.ReadInt32LittleEndian(message[8..]);
        if (lane == NoLane)
        {
            Interlocked.Increment(ref _delivered);
        }
        else
        {
            _lanes[lane].Delivered();
        }
    }

    /// <summary>Records that a subscriber received a notification about missing messages.</summary>
    public void Gap() => Interlocked.Increment(ref _gaps);

    /// <summary>
    /// Runs the closed loop with <paramref name="window"/> messages in flight. Publishes the next message as soon as every subscriber has received the previous
    /// one.
    /// </summary>
    public async Task<JsonObject> PumpAsync(int window, double warmupSeconds, double seconds)
    {
        long until = Begin(warmupSeconds, seconds);
        _lanes = [.. Enumerable.Range(0, window).Select(static _ => new TopicLane())];
        await Task.WhenAll(Enumerable.Range(0, window).Select(lane => Task.Run(() => RunLaneAsync(lane, until)))).ConfigureAwait(false);
        Array.ForEach(_lanes, static lane => lane.Dispose());
        return Line();
    }

    /// <summary>
    /// Runs the open loop: publishes <paramref name="rate"/> messages per second, and measures the latency of each message from its due time.
    /// </summary>
    public async Task<JsonObject> PaceAsync(double rate, double warmupSeconds, double seconds)
    {
        long until = Begin(warmupSeconds, seconds);
        _delivered = 0;
        long published = await Task.Factory.StartNew(() => Pace(rate, until), TaskCreationOptions.LongRunning).ConfigureAwait(false);
        long end = Stopwatch.GetTimestamp();
        while (Volatile.Read(ref _delivered) < published * _subscribers && _gaps == 0 && Stopwatch.GetElapsedTime(end) < s_patience)
        {
            await Task.Delay(5).ConfigureAwait(false);
        }

        JsonObject line = Line();
        line["missing"] = (published * _subscribers) - _delivered;
        return line;
    }

    public void Dispose() => _room.Dispose();

    private long Begin(double warmupSeconds, double seconds)
    {
        long from = Stopwatch.GetTimestamp() + (long)(warmupSeconds * Stopwatch.Frequency);
        long until = from + (long)(seconds * Stopwatch.Frequency);
        _tally = new TopicTally(from, until);
        _gaps = 0;
        return until;
    }

    private JsonObject Line()
    {
        JsonObject line = _tally.Line();
        line["gaps"] = _gaps;
        return line;
    }

    private async Task RunLaneAsync(int number, long until)
    {
        TopicLane lane = _lanes[number];
        while (Stopwatch.GetTimestamp() is var now && now < until)
        {
            lane.Begin(_subscribers);
            await target.PublishAsync(Message(now, number)).ConfigureAwait(false);
            if (!await lane.WaitAsync(s_patience).ConfigureAwait(false))
            {
                throw new AgentException($"a message did not reach every subscriber within {s_patience.TotalSeconds} s; the subscribers reported {_gaps} gaps");
            }
        }
    }

    private long Pace(double rate, long until)
    {
        long begun = Stopwatch.GetTimestamp();
        for (long number = 0; ; number++)
        {
            long due = begun + (long)(number / rate * Stopwatch.Frequency);
            if (due >= until)
            {
                return number;
            }

            while (Stopwatch.GetTimestamp() is var now && now < due)
            {
                PreciseSleep.For(Stopwatch.GetElapsedTime(now, due));
            }

            _room.Wait();
            _ = PublishAsync(Message(due, NoLane));
        }
    }

    private async Task PublishAsync(byte[] message)
    {
        try
        {
            await target.PublishAsync(message).ConfigureAwait(false);
        }
        catch (AgentException)
        {
            // Ignore the failure, because the result reports the deliveries of this message as missing.
        }
        finally
        {
            _room.Release();
        }
    }

    private byte[] Message(long due, int lane)
    {
        byte[] message = new byte[messageBytes];
        BinaryPrimitives.WriteInt64LittleEndian(message, due);
        BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(8), lane);
        return message;
    }
}
