using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Wire.Bench;

/// <summary>The reference workload: 1,000 hot keys, 100-byte values, alternating gets and sets.</summary>
internal static class Workload
{
    public static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private const int Keys = 1_000;

    private static readonly ByteString[] KeyNames = [.. Enumerable.Range(0, Keys).Select(index => ByteString.CopyFromUtf8($"key-{index:0000}"))];
    private static readonly ByteString Value = ByteString.CopyFrom(new byte[BenchServer.ValueBytes]);

    public static bool IsGet(int number) => (number & 1) == 0;

    public static GetRequest Get(int number) => new() { Key = KeyNames[number % Keys] };

    public static SetRequest Set(int number) => new() { Key = KeyNames[number % Keys], Value = Value, TtlMs = 60_000 };

    /// <summary>Throws if a response is wrong. Both peers call this for each response.</summary>
    public static void Check(bool isRight)
    {
        if (!isRight)
        {
            throw new InvalidOperationException("A wrong answer.");
        }
    }
}
