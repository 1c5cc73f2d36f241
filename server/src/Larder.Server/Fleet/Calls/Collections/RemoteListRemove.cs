using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>ListRemove: LREM in a script.</summary>
internal sealed class RemoteListRemove() : RemoteListChange(isIdempotent: true)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ChosenElements fields = ChosenElements.Decode(request);
        CallError? error = fields.Check() ?? (fields.Choice == ListRemoveCall.AllWithValue ? null : CollectionErrors.NoChoice);
        if (error is null)
        {
            command.Begin(CollectionScripts.ListRemove, fields.Name, 1);
            command.Add(fields.Chosen);
        }

        return error;
    }
}
