using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace Larder.Store.Bench;

/// <summary>Larder's store.</summary>
internal sealed class StoreContender(Cache cache) : IContender
{
    public const int KeyBytes = 16;
    private const long TtlMs = 3_600_000;

    public string Name => "Larder.Store";

    // Keys are encoded without a string, so that allocations of the benchmark are not counted as the store's.
    public static void FormatKey(int key, Span<byte> destination) => Utf8.TryWrite(destination, CultureInfo.InvariantCulture, $"key:{key:D12}", out _);

    public object Prepare(ReadOnlySpan<int> keys)
    {
        byte[] bytes = new byte[keys.Length * KeyBytes];
        for (int i = 0; i < keys.Length; i++)
        {
            FormatKey(keys[i], bytes.AsSpan(i * KeyBytes, KeyBytes));
        }

        return bytes;
    }

    public void Get(object batch, byte[] destination)
    {
        byte[] keys = (byte[])batch;
        var sink = new CopySink(destination);
        for (int at = 0; at < keys.Length; at += KeyBytes)
        {
            cache.TryGet(MemoryMarshal.CreateReadOnlySpan(ref keys[at], KeyBytes), ref sink);
        }
    }

    public void Set(object batch, byte[] value)
    {
        byte[] keys = (byte[])batch;
        for (int at = 0; at < keys.Length; at += KeyBytes)
        {
            cache.Set(MemoryMarshal.CreateReadOnlySpan(ref keys[at], KeyBytes), value, TtlMs);
        }
    }
}
