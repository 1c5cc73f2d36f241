using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>Decodes one item's result.</summary>
internal delegate TItem ItemDecoder<out TItem>(ReadOnlySpan<byte> payload);

/// <summary>Collects one result for each item of a batch, in order. Throws if there are more or fewer results than items.</summary>
internal sealed class ListCollector<TItem, TResponse>(int expected, ItemDecoder<TItem> decode, Func<IReadOnlyList<TItem>, TResponse> finish)
    : IAnswerCollector<TResponse>
{
    private readonly TItem[] _items = new TItem[expected];
    private int _count;

    public void Add(ReadOnlySpan<byte> payload)
    {
        if (_count == expected)
        {
            throw new FormatException($"The stream returned more than the {expected} requested responses.");
        }

        _items[_count++] = decode(payload);
    }

    public TResponse Finish() =>
        _count == expected ? finish(_items) : throw new FormatException($"The stream ended after {_count} of {expected} responses.");
}

/// <summary>Decodes the response of a batch that is sent as one message: <c>GetBatchResult</c> or <c>SetBatchResult</c>.</summary>
internal static class ListCollector
{
    public static TItem[] ReadAll<TItem>(ReadOnlySpan<byte> payload, ItemDecoder<TItem> decode)
    {
        List<TItem> items = [];
        ProtoReader reader = new(payload);
        while (reader.NextField())
        {
            if (reader.Is(1, ProtoWireType.LengthDelimited) && reader.TryReadBytes(out ReadOnlySpan<byte> item))
            {
                items.Add(decode(item));
            }
            else
            {
                reader.TrySkip();
            }
        }

        Answer.ThrowIfMalformed(reader);
        return [.. items];
    }
}
