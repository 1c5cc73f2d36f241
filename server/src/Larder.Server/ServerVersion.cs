using System.Reflection;

namespace Larder.Server;

/// <summary>The version of this build. It is shown in the start line, by <c>/stats</c> and by <c>--version</c>.</summary>
internal static class ServerVersion
{
    public static string Text { get; } = typeof(ServerVersion).Assembly.GetName().Version?.ToString(3) ?? "0.0.0";
}
