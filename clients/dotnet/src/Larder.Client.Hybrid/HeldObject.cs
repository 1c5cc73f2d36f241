namespace Larder.Client;

/// <summary>An object of an immutable type that the near cache keeps with the copy of its serialized value. All callers get the same object.</summary>
internal sealed class HeldObject<T>(LarderHybridCache owner, T? value)
{
    /// <summary>Gets the HybridCache that deserialized the object. Another one may have other serializers.</summary>
    public LarderHybridCache Owner => owner;

    public T? Value => value;
}
