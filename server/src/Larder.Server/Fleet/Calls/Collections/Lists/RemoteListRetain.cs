using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs ListRetain as LTRIM in a script.</summary>
internal sealed class RemoteListRetain() : RemoteListChange(isIdempotent: false)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = SliceRequest.Decode(request, out SliceRequest fields)
            ?? (fields.Refresh ? command.Target.Rules.CheckTtl(fields.TtlMs) : null);
        if (error is null)
        {
            command.Begin(CollectionScripts.ListRetain, fields.Name, 4);
            command.AddBounds(fields.Slice);
            command.Add((long)Math.Min(fields.TtlMs, (ulong)command.Target.Rules.MaxTtlMs));
            command.Add(fields.Refresh ? 1 : 0);
        }

        return error;
    }
}
