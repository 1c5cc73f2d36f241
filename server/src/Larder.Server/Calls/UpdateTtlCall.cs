using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>UpdateTtl: increases, decreases or overwrites the remaining TTL of an item.</summary>
internal static class UpdateTtlCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        CallError? error = UpdateTtlFields.Decode(request, out UpdateTtlFields fields)
            ?? CallRules.CheckKey(fields.Key)
            ?? (fields.Change == 0 ? CallError.NoTtlChange : target.Rules.CheckTtl(fields.TtlMs));
        if (error is not null)
        {
            return error;
        }

        TtlUpdate update = fields.Change switch
        {
            2 => TtlUpdate.IncreaseTo,
            3 => TtlUpdate.DecreaseTo,
            _ => TtlUpdate.OverwriteTo,
        };
        switch (target.Cache.UpdateTtl(fields.Key, update, (long)fields.TtlMs))
        {
            case TtlUpdateOutcome.Set:
                UpdateTtlAnswer.Set(response);
                break;
            case TtlUpdateOutcome.NotSet:
                UpdateTtlAnswer.NotSet(response);
                break;
            default:
                UpdateTtlAnswer.Missing(response);
                break;
        }

        return null;
    }
}
