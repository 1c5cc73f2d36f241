namespace Larder.FileStore;

internal static class JsonNeeds
{
    internal const string Reflection =
        "JSON of arbitrary classes needs reflection. In trimmed or ahead-of-time compiled programs, use the overload that takes a JsonTypeInfo<T>.";
}
