using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>UpdateTtlIfPrefix: overwrites the TTL of an item if its value begins with the prefix.</summary>
internal static class UpdateTtlIfPrefixCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (Check(target.Rules, request, out UpdateTtlIfPrefixFields fields) is { } error)
        {
            return error;
        }

        Span<byte> head = stackalloc byte[Cache.MaxPrefixBytes];
        switch (target.Cache.UpdateTtlIfPrefix(fields.Key, fields.Prefix, (long)fields.TtlMs, head, out int headBytes))
        {
            case TtlUpdateOutcome.Set:
                UpdateTtlIfPrefixAnswer.Set(response);
                return null;
            case TtlUpdateOutcome.Different:
                UpdateTtlIfPrefixAnswer.Different(response, head[..headBytes]);
                return null;
            case TtlUpdateOutcome.WrongType:
                return CallError.WrongType;
            default:
                UpdateTtlIfPrefixAnswer.Missing(response);
                return null;
        }
    }

    /// <summary>Decodes and checks a request. Returns null on success.</summary>
    public static CallError? Check(CallRules rules, ReadOnlySpan<byte> request, out UpdateTtlIfPrefixFields fields) =>
        UpdateTtlIfPrefixFields.Decode(request, out fields)
        ?? CallRules.CheckKey(fields.Key)
        ?? (fields.Prefix.Length > Cache.MaxPrefixBytes ? CallError.PrefixTooLong(fields.Prefix.Length, Cache.MaxPrefixBytes) : null)
        ?? rules.CheckTtl(fields.TtlMs);
}
