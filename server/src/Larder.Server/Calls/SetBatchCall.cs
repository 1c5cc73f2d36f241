using System.Buffers;
using Larder.Wire.Protobuf;

namespace Larder.Server.Calls;

/// <summary>
/// SetBatch: stores several items and returns all results in one response message. The results are in the order of the items. If an item is invalid, the whole
/// batch fails before anything is stored.
/// </summary>
internal static class SetBatchCall
{
    // The field SetBatchResult.responses.
    private const int Responses = 1;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (Check(target.Rules, request) is { } error)
        {
            return error;
        }

        RepeatedItems items = new(request);
        while (items.Next(out ReadOnlySpan<byte> item))
        {
            SetCall.Store(target, item);
            WriteOk(response);
        }

        return null;
    }

    /// <summary>Writes the response of a stored item.</summary>
    public static void WriteOk(IBufferWriter<byte> response)
    {
        int length = ProtoWriter.BytesFieldLength(Responses, SetCall.Ok.Length);
        ProtoWriter writer = new(response.GetSpan(length));
        writer.WriteBytesField(Responses, SetCall.Ok);
        response.Advance(length);
    }

    /// <summary>Checks that every item is a valid Set request. Returns null on success.</summary>
    public static CallError? Check(CallRules rules, ReadOnlySpan<byte> request)
    {
        RepeatedItems items = new(request);
        while (items.Next(out ReadOnlySpan<byte> encoded))
        {
            CallError? error = ItemRequest.Decode(encoded, out ItemRequest item)
                ?? rules.CheckItem(item.Key, item.Value, item.TtlMs);
            if (error is not null)
            {
                return error;
            }
        }

        return items.IsMalformed ? CallError.Malformed : null;
    }
}
