using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Larder.Client.Near;

namespace Larder.Client.Tests.Near;

/// <summary>Tests properties of the near state that the vectors do not cover: many threads, many keys, and events in any order.</summary>
public sealed class NearStateTests
{
    private static readonly TimeSpan s_day = TimeSpan.FromDays(1);

    [Fact]
    public async Task Near_state_find_never_returns_invalidated_copies()
    {
        const int keys = 64;
        const int findsEach = 50_000;
        NearState state = new(10_000, s_day);
        state.Opened(1, TimeSpan.Zero, TimeSpan.FromSeconds(10));
        byte[][] names = [.. Enumerable.Range(0, keys).Select(static key => Encoding.UTF8.GetBytes($"key-{key}"))];
        long[] ended = new long[keys];
        Task finding = Task.WhenAll(Enumerable.Range(0, 3).Select(seed => Task.Run(() => Find(seed))));
        Random random = new(9);
        for (int round = 1; !finding.IsCompleted; round++)
        {
            int key = random.Next(keys);
            NearGet get = state.Begin(new NearKey("cache", names[key]), 1, TimeSpan.Zero);
            byte[] value = new byte[sizeof(long) + sizeof(int) + random.Next(300)];
            BinaryPrimitives.WriteInt64LittleEndian(value, round);
            BinaryPrimitives.WriteInt32LittleEndian(value.AsSpan(sizeof(long)), key);
            state.Answered(get, new ItemHit(value), (uint)key + 1, s_day, TimeSpan.Zero);
            switch (random.Next(4))
            {
                case 0:
                    state.Ended(new NearKey("cache", names[key]));
                    Volatile.Write(ref ended[key], round);
                    break;
                case 1:
                    state.Invalidated(1, [(uint)key]);
                    Volatile.Write(ref ended[key], round);
                    break;
                case 2 when random.Next(100) == 0:
                    state.Cleared(1);
                    Volatile.Write(ref ended[key], round);
                    break;
            }
        }

        await finding;
        state.AssertValid();
        Assert.True(state.Statistics.Evictions > 0);

        void Find(int seed)
        {
            Random random = new(seed);
            for (int found = 0; found < findsEach;)
            {
                int key = random.Next(keys);
                long before = Volatile.Read(ref ended[key]);
                if (state.Find(new NearKey("cache", names[key]), TimeSpan.Zero) is { } copy)
                {
                    found++;
                    Assert.Equal(key, BinaryPrimitives.ReadInt32LittleEndian(copy.Value.AsSpan(sizeof(long))));
                    Assert.True(BinaryPrimitives.ReadInt64LittleEndian(copy.Value) > before, "what was dropped is found again");
                }
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Near_state_stays_valid_and_bounded_for_any_operation_order(int seed)
    {
        Random random = new(seed);
        NearState state = new(10_000, s_day);
        state.Opened(1, TimeSpan.Zero, TimeSpan.FromSeconds(10));
        List<NearGet> flights = [];
        for (int step = 0; step < 20_000; step++)
        {
            NearKey key = new(random.Next(2) == 0 ? "cache" : "other", Encoding.UTF8.GetBytes(random.Next(200).ToString(CultureInfo.InvariantCulture)));
            switch (random.Next(12))
            {
                case < 4:
                    flights.Add(state.Begin(key, random.Next(50) == 0 ? 2 : 1, TimeSpan.Zero));
                    break;
                case < 8 when flights.Count > 0:
                    NearGet get = flights[random.Next(flights.Count)];
                    flights.Remove(get);
                    ItemHit? value = random.Next(10) == 0 ? null : new ItemHit(new byte[random.Next(400)]);
                    state.Answered(get, value, (uint)random.Next(40), s_day, TimeSpan.Zero);
                    break;
                case 8 when flights.Count > 0:
                    state.Failed(flights[^1]);
                    flights.RemoveAt(flights.Count - 1);
                    break;
                case 9:
                    state.Ended(key);
                    break;
                case 10:
                    state.Invalidated(1, [(uint)random.Next(40)]);
                    break;
                case 11 when random.Next(200) == 0:
                    state.Flushed(key.Cache);
                    break;
                case 11 when random.Next(500) == 0:
                    state.Opened(1, TimeSpan.Zero, TimeSpan.FromSeconds(10));
                    break;
            }

            state.Find(key, TimeSpan.Zero);
            Assert.Equal(flights.Count, state.InFlight);
            if (step % 50 == 0)
            {
                state.AssertValid();
            }
        }

        Assert.True(state.Statistics is { Kept: > 0, Evictions: > 0, Invalidations: > 0, Hits: > 0, Poisoned: > 0 });
    }

    [Fact]
    public void Near_state_merges_10000_concurrent_reads_of_a_key()
    {
        const int callers = 10_000;
        NearState state = new(1 << 20, s_day);
        state.Opened(1, TimeSpan.Zero, TimeSpan.FromSeconds(10));
        NearKey key = new("cache", "k"u8);
        NearGet[] gets = new NearGet[callers];
        for (int caller = 0; caller < callers; caller++)
        {
            gets[caller] = state.Begin(key, 1, TimeSpan.Zero);
            Assert.Same(gets[0].Flight, gets[caller].Flight);
        }

        foreach (NearGet get in gets)
        {
            state.Answered(get, new ItemHit([1]), 7, s_day, TimeSpan.Zero);
        }

        Assert.Equal((0, 1, callers - 1), (state.InFlight, state.Statistics.Kept, state.Statistics.Poisoned));
    }

    [Fact]
    public void NearCopies_drops_100000_copies_by_ticket()
    {
        NearCopies copies = new(long.MaxValue);
        Span<byte> name = stackalloc byte[sizeof(int)];
        for (int key = 0; key < 100_000; key++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(name, key);
            copies.Add(new NearCopy(new NearFlight(new NearKey("cache", name)), new ItemHit([]), (uint)key % 1_000, TimeSpan.Zero, s_day));
        }

        copies.AssertValid();
        for (int ticket = 0; ticket < 1_000; ticket++)
        {
            Assert.Equal(100, copies.DropTicket((uint)ticket));
        }

        copies.AssertValid();
        Assert.Equal((0, 0), (copies.Count, copies.Bytes));
        Assert.Null(copies.Find(new NearKey("cache", name)));
    }
}
