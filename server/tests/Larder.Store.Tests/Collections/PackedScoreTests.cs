using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

public sealed unsafe class PackedScoreTests
{
    [Theory]
    [InlineData(0, 1)]
    [InlineData(127, 1)]
    [InlineData(-128, 1)]
    [InlineData(128, 2)]
    [InlineData(-129, 2)]
    [InlineData(short.MaxValue, 2)]
    [InlineData(short.MinValue, 2)]
    [InlineData(short.MaxValue + 1, 4)]
    [InlineData(short.MinValue - 1, 4)]
    [InlineData(int.MaxValue, 4)]
    [InlineData(int.MinValue, 4)]
    [InlineData(int.MaxValue + 1.0, 8)]
    [InlineData(int.MinValue - 1.0, 8)]
    [InlineData(0.5, 8)]
    [InlineData(-1e-300, 8)]
    [InlineData(9007199254740993, 8)]
    [InlineData(double.MaxValue, 8)]
    [InlineData(double.PositiveInfinity, 8)]
    [InlineData(double.NegativeInfinity, 8)]
    public void Score_round_trips_in_smallest_encoding(double score, int bytes)
    {
        byte* at = stackalloc byte[PackedScore.MaxBytes];
        Assert.Equal(bytes, PackedScore.Write(at, score));
        Assert.Equal(BitConverter.DoubleToInt64Bits(score), BitConverter.DoubleToInt64Bits(PackedScore.Read(at, bytes)));
    }
}
