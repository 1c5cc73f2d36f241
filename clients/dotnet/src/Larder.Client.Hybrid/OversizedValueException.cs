using Larder.Client.Leases;

namespace Larder.Client;

/// <summary>Passes a created value that is too large to be stored to the callers of its load.</summary>
internal sealed class OversizedValueException<T>(LoadedValue<T> value, string reason) : UnstorableValueException(reason)
{
    public LoadedValue<T> Value => value;
}
