using Larder.Harness.Frames;

namespace Larder.Harness.Tests.Frames;

public sealed class FrameMutationsTests
{
    private static readonly Http2Frame[] s_good =
    [
        new(Http2Frame.Settings, 0, 0, []),
        new(Http2Frame.Headers, Http2Frame.EndHeaders, 1, [0x83, 0x86]),
        new(Http2Frame.Data, Http2Frame.EndStream, 1, [0, 0, 0, 0, 1, 7]),
        Http2Frame.Of(Http2Frame.WindowUpdate, 0, 1_000),
    ];

    [Fact]
    public void Frames_without_mutations_round_trip()
    {
        byte[] bytes = FrameMutations.Write(s_good, 0, new FrameRandom(1));
        Assert.Equal(s_good.SelectMany(frame => frame.ToBytes()), bytes);
        IReadOnlyList<Http2Frame> read = Http2Frame.Read(bytes);
        Assert.Equal(s_good.Select(Text), read.Select(Text));
    }

    [Fact]
    public void Same_seed_produces_same_bytes_and_different_seeds_different_bytes()
    {
        byte[][] made = [.. Enumerable.Range(0, 50).Select(seed => FrameMutations.Write(s_good, 3, new FrameRandom(seed)))];
        byte[][] again = [.. Enumerable.Range(0, 50).Select(seed => FrameMutations.Write(s_good, 3, new FrameRandom(seed)))];
        Assert.Equal(made, again);
        Assert.InRange(made.Select(Convert.ToHexString).Distinct().Count(), 40, 50);
    }

    [Fact]
    public void Mutations_change_count_headers_and_payloads_of_frames()
    {
        HashSet<int> counts = [];
        HashSet<string> headers = [];
        HashSet<string> payloads = [];
        for (int seed = 0; seed < 2_000; seed++)
        {
            IReadOnlyList<Http2Frame> frames = Http2Frame.Read(FrameMutations.Write(s_good, seed % 10, new FrameRandom(seed)));
            counts.Add(frames.Count);
            headers.UnionWith(frames.Select(frame => $"{frame.Type} {frame.Flags} {frame.Stream}"));
            payloads.UnionWith(frames.Select(frame => Convert.ToHexString(frame.Payload)));
        }

        Assert.True(counts.Count > 4 && headers.Count > 100 && payloads.Count > 100, $"{counts.Count} {headers.Count} {payloads.Count}");
    }

    [Fact]
    public void Each_connection_draws_distinct_values_from_one_seed() =>
        Assert.Equal(400, Enumerable.Range(0, 400).Select(each => FrameRandom.OfConnection(7, each % 4, each / 4).Below(int.MaxValue)).Distinct().Count());

    private static string Text(Http2Frame frame) => $"{frame.Type} {frame.Flags} {frame.Stream} {Convert.ToHexString(frame.Payload)}";
}
