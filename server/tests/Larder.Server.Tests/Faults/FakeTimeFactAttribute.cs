namespace Larder.Server.Tests.Faults;

/// <summary>A test that moves a process's wall clock by libfaketime; where that is not installed it says that it was skipped.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FakeTimeFactAttribute : FactAttribute
{
    private static readonly string[] Places =
    [
        "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib/faketime/libfaketimeMT.so.1",
    ];

    public FakeTimeFactAttribute()
    {
        if (Library is null)
        {
            Skip = "The wall clock is moved by libfaketime, which is not installed.";
        }
    }

    /// <summary>The library; null where it is not installed.</summary>
    public static string? Library => Places.FirstOrDefault(File.Exists);
}
