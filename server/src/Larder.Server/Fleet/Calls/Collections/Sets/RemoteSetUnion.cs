using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs SetUnion as SADD.</summary>
internal sealed class RemoteSetUnion() : RemoteAdd(ElementShape.Names, isIdempotent: true)
{
    public override void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        BeginAdd(command, part, "set"u8, "SADD"u8, part.Elements.Count);
        command.AddNames(part.Elements);
    }
}
