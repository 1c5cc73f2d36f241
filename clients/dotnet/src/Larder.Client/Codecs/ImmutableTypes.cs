using System.ComponentModel;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Larder.Client.Codecs;

/// <summary>Recognizes the types whose objects callers can share. These are the types that .NET's <c>HybridCache</c> treats as immutable.</summary>
internal static class ImmutableTypes
{
    /// <summary>Returns whether objects of a type cannot change: strings, value types without references, and sealed classes marked as immutable.</summary>
    public static bool Contains<T>() => typeof(T) == typeof(string)
        || (typeof(T).IsValueType && !RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        || (typeof(T).IsSealed && typeof(T).GetCustomAttribute<ImmutableObjectAttribute>() is { Immutable: true });
}
