using Larder.Client.Leases;

namespace Larder.Client;

/// <summary>Passes a created value that is too large to be stored to the callers of its load.</summary>
internal sealed class OversizedValueException<T>(T? value, string reason) : UnstorableValueException(reason)
{
    public T? Value => value;
}
