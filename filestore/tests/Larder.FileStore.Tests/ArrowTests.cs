using System.Reflection;

namespace Larder.FileStore.Tests;

public sealed class ArrowTests
{
    [Fact]
    public void The_file_store_imports_none_of_ours()
    {
        AssemblyName[] references = typeof(CacheFileHandler).Assembly.GetReferencedAssemblies();
        Assert.DoesNotContain(references, r => r.Name!.StartsWith("Larder", StringComparison.Ordinal));
        Assert.All(references, r => Assert.Matches("^(System|Microsoft\\.Extensions|Microsoft\\.Win32|netstandard)", r.Name));
    }
}
