using System.Buffers;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>A call on one collection in steps, each of them heavy: one after the other (FLEET-13).</summary>
/// <param name="whole">The call; its request is kept.</param>
internal abstract class PartSteps(RemoteCommand whole) : RemoteJoin(whole)
{
    /// <summary>Whether there is no such collection.</summary>
    protected bool IsMissing { get; set; }

    /// <summary>Whether no more steps are needed.</summary>
    protected bool IsOver { get; set; }

    protected sealed override int AtOnce => 1;

    protected sealed override Effort PartEffort => Effort.Heavy;

    protected override bool IsEnough => IsMissing || IsOver;

    protected sealed override bool BeginNext(RemoteCommand part)
    {
        if (IsEnough)
        {
            return false;
        }

        part.IsRepeatable = true;
        BeginStep(part);
        return true;
    }

    protected sealed override CallError? Write(IBufferWriter<byte> response)
    {
        if (!IsMissing)
        {
            return WriteFound(response);
        }

        response.WriteEmptyArm(CollectionAnswer.Missing);
        return null;
    }

    /// <summary>Begins the next step's command. Under the lock.</summary>
    protected abstract void BeginStep(RemoteCommand part);

    /// <summary>Writes the answer of a collection that is there.</summary>
    protected abstract CallError? WriteFound(IBufferWriter<byte> response);
}
