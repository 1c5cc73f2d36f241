using System.Buffers;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Base of the calls that process one collection in several heavy commands, one after another (FLEET-13).</summary>
/// <param name="whole">The call, whose request must already be stored.</param>
internal abstract class PartSteps(RemoteCommand whole) : RemoteJoin(whole)
{
    /// <summary>Gets or sets whether the collection is missing.</summary>
    protected bool IsMissing { get; set; }

    /// <summary>Gets or sets whether no more steps are needed.</summary>
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

    /// <summary>Begins the command of the next step. The caller must hold the lock.</summary>
    protected abstract void BeginStep(RemoteCommand part);

    /// <summary>Writes the response for an existing collection.</summary>
    protected abstract CallError? WriteFound(IBufferWriter<byte> response);
}
