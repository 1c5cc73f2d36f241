using System.Text;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Stores the items that attacks need, in the attacker's cache.</summary>
internal static class AttackItems
{
    /// <summary>The time to live of all items: longer than any run.</summary>
    public const ulong TtlMs = 24 * 3_600_000;

    /// <summary>The size of a value just below the limit of 5 MB.</summary>
    public const int LargeBytes = 4_900_000;

    // The number of elements of 20 bytes that fit into a message of 11,010,048 bytes, with a margin.
    private const int ElementsPerCall = 100_000;

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    public static Task SetAsync(AttackTarget target, string key, byte[] value, CancellationToken stop) =>
        StoreAsync(target, "Set", [[.. Name(key), .. ProtoBytes.Bytes(2, value), .. ProtoBytes.Number(3, TtlMs)]], stop);

    /// <summary>Stores a sorted set. Each element has 8 bytes, and its score is its index.</summary>
    public static Task SortedSetAsync(AttackTarget target, string key, int elements, CancellationToken stop) =>
        StoreAsync(target, "SortedSetPut", Calls(key, elements, n => [.. ProtoBytes.Bytes(1, Element(n)), .. ProtoBytes.Double(2, n)]), stop);

    /// <summary>Stores a set of elements of 8 bytes.</summary>
    public static Task SetOfAsync(AttackTarget target, string key, int elements, CancellationToken stop) =>
        StoreAsync(target, "SetUnion", Calls(key, elements, Element), stop);

    /// <summary>Stores a list whose elements are all <c>e</c>. Removes an existing list first.</summary>
    public static async Task ListAsync(AttackTarget target, string key, int elements, CancellationToken stop)
    {
        await StoreAsync(target, "Delete", [Name(key)], stop).ConfigureAwait(false);
        await StoreAsync(target, "ListConcatenateBack", Calls(key, elements, _ => "e"u8.ToArray()), stop).ConfigureAwait(false);
    }

    /// <summary>Fills the store with values of 1 MB.</summary>
    public static async Task FillAsync(AttackTarget target, int megabytes, CancellationToken stop)
    {
        byte[] value = new byte[1_000_000];
        new Random(1).NextBytes(value);
        await StoreAsync(
            target,
            "Set",
            Enumerable.Range(0, megabytes).Select(n => (byte[])[.. Name($"fill-{n}"), .. ProtoBytes.Bytes(2, value), .. ProtoBytes.Number(3, TtlMs)]),
            stop).ConfigureAwait(false);
    }

    /// <summary>Encodes a key as the field of a request.</summary>
    public static byte[] Name(string key) => ProtoBytes.Bytes(1, Encoding.ASCII.GetBytes(key));

    private static byte[] Element(int number) => Encoding.ASCII.GetBytes($"{number:x8}");

    private static IEnumerable<byte[]> Calls(string key, int elements, Func<int, byte[]> element)
    {
        for (int first = 0; first < elements; first += ElementsPerCall)
        {
            using var message = new MemoryStream();
            message.Write(Name(key));
            for (int number = first; number < Math.Min(elements, first + ElementsPerCall); number++)
            {
                message.Write(ProtoBytes.Bytes(2, element(number)));
            }

            message.Write(ProtoBytes.Number(3, TtlMs));
            yield return message.ToArray();
        }
    }

    private static async Task StoreAsync(AttackTarget target, string rpc, IEnumerable<byte[]> requests, CancellationToken stop)
    {
        await using RpcChannel channel = new(new RpcChannelOptions { Endpoint = new Uri($"http://{target.Server}") });
        foreach (byte[] request in requests)
        {
            await channel
                .UnaryAsync(BytesCodec.Method($"/cache_client.Scs/{rpc}"), request, target.Headers(target.Token), s_timeout, stop)
                .ConfigureAwait(false);
        }
    }
}
